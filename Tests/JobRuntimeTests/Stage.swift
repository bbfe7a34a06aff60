import JobCore
import JobRuntime
import JobWire

/// A runtime with a scripted journal, driven one event at a time; the results are described in words.
struct Stage {
  let runtime: JobRuntime
  var journal: ScriptedJournal
  private var now = Instant(nanoseconds: 1_000_000_000)
  private var wall = WallTime(milliseconds: 1_700_000_000_000)
  private var tags: [String: RequestTag] = [:]
  /// Of the newest turn.
  private(set) var lastLines: [Turn.Line] = []

  init(slots: Int = 1, sequence: UInt64 = 0, isDescribed: Bool = false) throws {
    let paths = try Paths(
      environment: Environment(["JOBRUN_HOME": "/home/of/tests"]), user: 1_000)
    runtime = JobRuntime(
      Scheduler.Configuration(slots: slots), firstNumber: JobNumber(1), sequence: sequence,
      paths: isDescribed ? paths : nil)
    journal = ScriptedJournal(sequence: sequence)
  }

  var moment: Moment { Moment(awake: now, wall: wall) }

  mutating func pass(_ span: Interval) {
    now = now + span
    suspend(span)
  }

  /// The machine does.
  mutating func suspend(_ span: Interval) { wall = wall + span }

  // MARK: Events

  /// A submission under `key`; its identifier is `test.IDENTIFIER`.
  mutating func submit(
    _ key: String, as identifier: String? = nil, _ change: (inout Submission) -> Void = { _ in }
  ) throws {
    let job = try job(key, as: identifier, change)
    let tag = tag(key)
    runtime.drafts[tag] = Draft(job, specification: Array(key.utf8))
    runtime.inbox.append(.submit(tag, job.submission))
  }

  /// A batch of jobs, each with one input.
  mutating func submitMany(_ key: String, _ inputs: [String]) throws {
    var request = SubmitRequest(
      key: key, identifier: "test.\(key)", title: "Render {}", speaksPage: false)
    let command = ["render", "{}", "-o", "{1}.png"].map { Array($0.utf8) }
    request.details.executed = ExecutedCommand(directory: [], arguments: command)
    guard let identifier = JobIdentifier(request.identifier) else {
      throw WireError(.usage, "\(key) is not an identifier")
    }
    let stem = Submission(key: key, identifier: identifier, speaksPage: false)
    let tag = tag(key)
    let batch = Batch(stem, count: inputs.count)
    runtime.drafts[batch: tag] = BatchDraft(
      request, batch, CommandTemplate(command),
      try PackedInputs(
        inputs.flatMap { Array($0.utf8) + [0] }, count: inputs.count, width: 1),
      specification: Array("shared".utf8))
    runtime.inbox.append(.batch(tag, batch))
  }

  func job(
    _ key: String, as identifier: String? = nil, _ change: (inout Submission) -> Void = { _ in }
  ) throws -> LiveJob {
    guard let identifier = JobIdentifier("test.\(identifier ?? key)") else {
      throw WireError(.usage, "\(key) is not an identifier")
    }
    var submission = Submission(key: key, identifier: identifier, speaksPage: false)
    change(&submission)
    return LiveJob(
      number: JobNumber(0), submission: submission, definition: nil, title: key, subtitle: "",
      submittedAt: moment.wall)
  }

  mutating func cancel(_ number: UInt64) {
    runtime.inbox.append(.cancel(tag("cancel \(number)"), JobNumber(number), now: false))
  }

  mutating func pause(_ number: UInt64) {
    runtime.inbox.append(.pause(tag("pause \(number)"), JobNumber(number), keepsSlot: true))
  }

  mutating func pauseAll() {
    runtime.inbox.append(.pauseAll(tag("pause all"), keepsSlot: true))
  }

  mutating func resume(_ number: UInt64) {
    runtime.inbox.append(.resume(tag("resume \(number)"), JobNumber(number)))
  }

  /// An ended job should make another attempt.
  mutating func redo(_ number: UInt64) throws {
    guard let row = journal.rows[JobNumber(number)] else {
      throw WireError(.notFound, "there is no job \(number)")
    }
    let tag = tag("redo \(number)")
    runtime.drafts[tag] = Draft(row)
    runtime.inbox.append(
      .redo(tag, row.number, row.submission, attempt: row.attempt + 1, isForced: false))
  }

  mutating func start(_ number: UInt64, attempt: Int = 1) {
    runtime.inbox.append(.started(JobNumber(number), attempt: attempt))
  }

  mutating func finish(_ number: UInt64, attempt: Int = 1, _ code: Int32 = 0) {
    runtime.inbox.append(
      .finished(JobNumber(number), attempt: attempt, RunEnd(status: .exited(code))))
  }

  mutating func sampled(_ number: UInt64, _ sample: PageSample) {
    runtime.jobs[JobNumber(number)]?.sample = sample
    runtime.inbox.append(.sampled(JobNumber(number), sample))
  }

  mutating func fillDisk() { journal.refusal = JournalRefusal("no space is left") }

  mutating func makeRoom() { journal.refusal = nil }

  private mutating func tag(_ name: String) -> RequestTag {
    let tag = runtime.nextTag()
    tags[name + (tags[name] == nil ? "" : " again")] = tag
    return tag
  }

  // MARK: Results

  /// One turn in words: answers, lines, actions; nil without events.
  mutating func turn() -> [String]? {
    guard let turn = runtime.turn(at: moment, &journal) else { return nil }
    lastLines = turn.lines
    for number in turn.ended { runtime.retire(number) }
    return turn.answers.filter { $0.tag != RequestTag(0) }.map(words)
      + turn.unstored.map { "warned \($0.number) \($0.state)" }
      + turn.lines.map { "#\($0.sequence) \($0.number) \($0.kind)" }
      + turn.actions.compactMap(words)
  }

  /// All turns until there are no more events.
  mutating func settle() -> [String] {
    var told: [String] = []
    while let turn = turn() { told += turn }
    return told
  }

  private func words(_ answer: Turn.Answer) -> String {
    let name = tags.first { $0.value == answer.tag }?.key ?? "?"
    switch answer.reply {
    case .failure(let error): return "\(name): \(error.code), \(error.message)"
    case .success(.accepted(let number)): return "\(name): accepted \(number)"
    case .success(.duplicate(let number)): return "\(name): duplicate \(number)"
    case .success(.acceptedMany(let first, let count)):
      return "\(name): accepted \(first) to \(first.value + UInt64(count) - 1)"
    case .success(.duplicateMany(let first, let count)):
      return "\(name): duplicate \(first) to \(first.value + UInt64(count) - 1)"
    case .success(.refused(let refusal)): return "\(name): refused \(refusal.code)"
    case .success(.done(let number)): return "\(name): done \(number)"
    case .success(let reply): return "\(name): \(reply)"
    }
  }

  private func words(_ action: Effect) -> String? {
    switch action {
    case .launch(let number, let attempt, _): "launch \(number).\(attempt)"
    case .stop(let number, let reason, _): "stop \(number) \(reason.code)"
    case .kill(let number): "kill \(number)"
    case .pause(let number, _, let mark): "pause \(number) \(mark)"
    case .resume(let number, let mark): "resume \(number) \(mark)"
    case .released(let number): "released \(number)"
    case .sample, .probe, .survey, .announce, .reply: nil
    }
  }
}
