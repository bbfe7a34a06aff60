import JobCore

extension HostLine {
  /// The line, newline included, appended to `bytes`.
  package func append(to bytes: inout [UInt8]) {
    var writer = JSONWriter(taking: &bytes)
    writer.beginObject()
    switch self {
    case .launch(let launch):
      writer.field("host", "launch")
      writer.fields(launch)
    case .pause(let number): writer.fields("pause", number)
    case .resume(let number): writer.fields("resume", number)
    case .ended(let number): writer.fields("ended", number)
    }
    writer.endObject()
    writer.newline()
    writer.finish(into: &bytes)
  }

  init(_ fields: JSONFields) throws(WireError) {
    let number = JobNumber(try fields.number("number"))
    switch try fields.string("host") {
    case "launch":
      self = .launch(
        HostedLaunch(
          number: number, attempt: try fields.number("attempt"),
          identifier: try fields.string("identifier"), page: try fields.string("page"),
          gpus: try fields.strings("gpus"), stateDirectory: try fields.string("stateDir")))
    case "pause": self = .pause(number)
    case "resume": self = .resume(number)
    case "ended": self = .ended(number)
    case let word:
      throw WireError(.badFrame, "the runner sent a host \"\(word)\", which is unknown")
    }
  }
}

extension HostClaim {
  init(_ fields: JSONFields) throws(WireError) {
    self.init(
      host: try fields.string("host"), running: try fields.numbersAsTexts("running"),
      waiting: try fields.numbersAsTexts("waiting"))
    try SubmitRequest.checkMark(host, name: "host")
  }
}

extension JSONWriter {
  fileprivate mutating func fields(_ word: String, _ number: JobNumber) {
    field("host", word)
    field("number", number.value)
  }

  fileprivate mutating func fields(_ launch: HostedLaunch) {
    field("number", launch.number.value)
    field("attempt", launch.attempt)
    field("identifier", launch.identifier)
    field("page", launch.page)
    field("gpus", launch.gpus)
    field("stateDir", launch.stateDirectory)
  }

  mutating func fields(_ claim: HostClaim) {
    field("host", claim.host)
    field("running", claim.running.map { $0.description })
    field("waiting", claim.waiting.map { $0.description })
  }
}

extension JSONFields {
  /// A list of job numbers, written as texts.
  func numbersAsTexts(_ name: String) throws(WireError) -> [JobNumber] {
    var numbers: [JobNumber] = []
    for text in try strings(name) {
      guard let value = UInt64(text) else {
        throw WireError(.usage, "\"\(name)\" must be a list of job numbers")
      }
      numbers.append(JobNumber(value))
    }
    return numbers
  }
}
