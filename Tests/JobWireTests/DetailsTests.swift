import JobCore
import JobWire
import Testing

/// The runner's part of a submission, to a store and back.
@Suite struct DetailsTests {
  private var full: JobDetails {
    var details = JobDetails()
    details.hidesCommand = true
    details.typed = "./train"
    details.input = .copied(bytes: 588_895)
    details.logLimit = 5 << 20
    details.recurrence = Recurrence(every: .minutes(90), minuteOfDay: 185)
    details.unbuffersPython = true
    details.pushes = 3
    details.variables = ["TOKEN"]
    return details
  }

  @Test func `everything comes back, and what is as usual takes no room`() throws {
    #expect(try kept(full) == full)
    var other = full
    other.input = .file("/a \"b\"/ü")
    other.onEnd = "true"
    other.executed = ExecutedCommand(directory: [0x2F], arguments: [[0x61]])
    #expect(try kept(other) == other)
    other.input = .passed
    #expect(try kept(other) == other)
    #expect(!String(decoding: try record(JobDetails()).json, as: UTF8.self).contains("details"))
  }

  private func kept(_ details: JobDetails) throws -> JobDetails {
    try JobRecord(JobNumber(1), json: try record(details).json[...]).details
  }

  private func record(_ details: JobDetails) throws -> JobRecord {
    var record = JobRecord(
      number: JobNumber(1), submission: try Samples.submission.submission(), title: "T",
      submittedMilliseconds: 1)
    record.details = details
    return record
  }

  @Test func `a command is shown as it was typed, unless it is hidden`() {
    var details = JobDetails()
    #expect(details.shownCommand == nil)
    details.executed = ExecutedCommand(
      directory: [0x2F], arguments: ["/usr/bin/sleep", "30"].map { Array($0.utf8) })
    #expect(details.shownCommand == ["/usr/bin/sleep", "30"])
    details.typed = "sleep"
    #expect(details.shownCommand == ["sleep", "30"])
    details.executed = ExecutedCommand(directory: [0x2F], arguments: [])
    #expect(details.shownCommand == nil)
  }

  @Test func `a request carries them`() throws {
    var request = SubmitRequest(
      key: "abcdefghijklmnop", identifier: "io.jobrun.run.a", title: "T", speaksPage: false)
    request.details = full
    request.details.executed = ExecutedCommand(
      directory: Array("/w".utf8), arguments: [Array("a b".utf8), []])
    request.options.retryDelay = .seconds(9)
    request.afterAny = [JobNumber(4)]
    var bytes: [UInt8] = []
    RequestLine(id: 1, .submit(request)).append(to: &bytes)
    #expect(try RequestLine(line: bytes.dropLast()[...]).request == .submit(request))
    let submission = try request.submission()
    #expect(submission.options.retryDelay == .seconds(9))
    #expect(submission.after == [Prerequisite(JobNumber(4), anyEnd: true)])
  }

  @Test(arguments: [
    (Recurrence(every: .seconds(59)), "59s is too often; 1m is the shortest"),
    (Recurrence(every: .minutes(1), minuteOfDay: 1440), "1440 is not a minute of the day"),
  ])
  func `a recurrence that makes no sense is refused`(rule: Recurrence, problem: String) {
    var request = SubmitRequest(
      key: "abcdefghijklmnop", identifier: "io.jobrun.run.a", title: "T", speaksPage: false)
    request.details.recurrence = rule
    let error = #expect(throws: WireError.self) { try request.submission() }
    #expect(error?.code == .usage)
    #expect(error?.message.contains(problem) == true)
  }

  @Test func `a command is shown as far as it can be`() {
    let command = ExecutedCommand(
      directory: Array("/w ü".utf8),
      arguments: [Array("sh".utf8), [], Array("-c\nx".utf8), [0xFF, 0x41]])
    #expect(command.directory == "/w ü")
    #expect(command.command == ["sh", "", "-c\nx", "\u{FFFD}A"])
    let long = ExecutedCommand(
      directory: [],
      arguments: [Array("cc".utf8)] + Array(repeating: Array("ééé".utf8), count: 9999))
    let words = long.command ?? []
    #expect(words.count > 100 && words.last?.hasSuffix("…") == true)
    #expect(words.joined().utf8.count <= ExecutedCommand.shownBytes + 3)
    #expect(!words.joined().contains("\u{FFFD}"))
    #expect(ExecutedCommand(packed: command.packed) == command)
    #expect(ExecutedCommand(directory: [0x2F], arguments: []).command == nil)
  }

  @Test(
    arguments: [
      ("7:05", 425), ("22:30", 1350), ("00:00", 0), ("24:00", nil), ("7:5", nil), ("", nil),
      ("+1:00", nil), ("١:00", nil),
    ] as [(String, Int?)])
  func `times of day are read as people type them`(text: String, minutes: Int?) {
    #expect(ClockText.parse(text) == minutes)
    if let minutes { #expect(ClockText.parse(ClockText.format(minutes)) == minutes) }
  }
}
