import JobCore

extension HostLine: CodedChoice {
  package enum Kind: String, CaseIterable, FieldValue {
    case launch, pause, resume, ended
  }

  package static var kindField: StaticString { "host" }

  package init() { self = .ended(JobNumber(0)) }

  package init(_ kind: Kind) {
    self =
      switch kind {
      case .launch: .launch(HostedLaunch())
      case .pause: .pause(JobNumber(0))
      case .resume: .resume(JobNumber(0))
      case .ended: .ended(JobNumber(0))
      }
  }

  package var kind: Kind {
    switch self {
    case .launch: .launch
    case .pause: .pause
    case .resume: .resume
    case .ended: .ended
    }
  }

  package func coded<Coder: FieldCoder>(
    with coder: inout Coder
  ) throws(Coder.Failure) -> HostLine {
    switch self {
    case .launch(let launch): .launch(try coder.inline(launch))
    case .pause(let number): .pause(try coder.coded(number, "number"))
    case .resume(let number): .resume(try coder.coded(number, "number"))
    case .ended(let number): .ended(try coder.coded(number, "number"))
    }
  }
}

extension HostedLaunch: Coded {
  package init() {
    self.init(
      number: JobNumber(0), attempt: 0, identifier: "", page: "", gpus: [], stateDirectory: "")
  }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&number, "number")
    try coder.code(&attempt, "attempt")
    try coder.code(&identifier, "identifier")
    try coder.code(&page, "page")
    try coder.codeAlways(&gpus, "gpus")
    try coder.code(&stateDirectory, "stateDir")
  }
}

extension HostClaim: Coded {
  package init() { self.init(host: "") }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&host, "host")
    running = try coder.texts(running, "running") ?? []
    waiting = try coder.texts(waiting, "waiting") ?? []
  }

  package func validate() throws(WireError) {
    try SubmitRequest.checkMark(host, name: "host")
  }
}

extension FieldCoder {
  /// Job numbers, written as texts; nil = no list.
  mutating func texts(
    _ numbers: [JobNumber]?, _ name: StaticString
  ) throws(Failure) -> [JobNumber]? {
    try coded(numbers.map { $0.map { NumberText(number: $0) } }, name).map { $0.map { $0.number } }
  }
}

/// A job number that is written as a text.
private struct NumberText: FieldRepresentable {
  let number: JobNumber

  static var wanted: String { "a job number in quotation marks" }

  var field: String { number.description }

  init(number: JobNumber) { self.number = number }

  init?(field: String) {
    guard let number = UInt64(field) else { return nil }
    self.init(number: JobNumber(number))
  }
}
