internal import JobClient
internal import JobCore
internal import JobWire
internal import LinuxSystem

/// What a page may ask for once it is let in: reading by GET, changing by POST.
struct WebRequests {
  let link: RunnerLink
  let isReadOnly: Bool

  /// How long the runner has for an answer.
  private static let timeout: UInt64 = 5_000_000_000
  /// Of a log, in bytes.
  private static let logPiece = 64 << 10
  /// The part of a log that is shown first.
  private static let logTail: UInt64 = 32 << 10

  /// Nil when there is nothing of that name.
  func answer(
    _ method: String, _ path: String, argument: (String) -> String?
  ) throws(WireError) -> Answer? {
    link.deadline = AwakeClock.now() + Self.timeout
    let words = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    switch (method, words.first, words.count) {
    case ("GET", "then", 1): return try past(since: argument("since").flatMap { Int64($0) })
    case ("GET", "jobs", 2): return try picture(of: number(words[2]))
    case ("GET", "jobs", 3) where words[3] == "log":
      return try log(of: number(words[2]), from: argument("from").flatMap { UInt64($0) })
    case ("GET", "groups", 2): return try tally(of: GroupName(checking: String(words[2])))
    case ("POST", "jobs", 3): return try act(String(words[3]), on: number(words[2]))
    default: return nil
    }
  }

  private func number(_ text: Substring) throws(WireError) -> JobNumber {
    guard let number = UInt64(text) else {
      throw WireError(.usage, "\(String(text).quoted) is not the number of a job")
    }
    return JobNumber(number)
  }

  // MARK: Reading

  /// What has ended since then, and how the runner is.
  private func past(since: Int64?) throws(WireError) -> Answer {
    guard case .status(let status) = try link.ask(.status) else { throw Self.odd }
    var query = HistoryQuery()
    query.limit = 0
    query.since = since.map { WallTime(milliseconds: $0) }
    var writer = JSONWriter()
    writer.beginObject()
    writer.field("now", WallTime(milliseconds: WallClock.now()))
    writer.field("slots", status.slots)
    writer.field("held", status.isHeld)
    writer.field("readOnly", isReadOnly)
    writer.key("jobs")
    writer.beginArray()
    // Of what went wrong it is shown why, which the brief form leaves out.
    try link.history(query) { job in
      if job.outcome == .succeeded { writer.brief(job) } else { writer.value(job) }
    }
    writer.endArray()
    writer.endObject()
    return .json(writer.bytes)
  }

  /// All that is known of one job, with its curve.
  private func picture(of number: JobNumber) throws(WireError) -> Answer {
    var writer = JSONWriter()
    writer.value(try job(answering: .show(.number(number))), .read(number, link.paths))
    return .json(writer.bytes)
  }

  /// How many jobs of a group live, and how those have ended that belong to them.
  private func tally(of group: GroupName) throws(WireError) -> Answer {
    // Who asks for a tally hears of the group from then on: so this connection ends with the answer.
    guard let connection = RunnerStart.connect(link.paths),
      case .tally(let tally) = try RunnerClient(connection).ask(
        .followMany(.group(group)), until: link.deadline)
    else { throw Self.odd }
    var writer = JSONWriter()
    writer.value(tally)
    return .json(writer.bytes)
  }

  private func job(answering request: Request) throws(WireError) -> JobStatus {
    guard case .job(let job, _) = try link.ask(request) else { throw Self.odd }
    return job
  }

  private static let odd = WireError(.internal, "the runner gave an unexpected answer")

  /// A piece of what a job has printed; `from`: as the piece before said where it ends.
  private func log(of number: JobNumber, from: UInt64?) throws(WireError) -> Answer {
    // Whoever has no such job has no log of it.
    _ = try job(answering: .show(.number(number)))
    var answer = Answer(status: 200, type: "text/plain; charset=utf-8", body: [])
    var start: UInt64 = 0
    if let file = try? File.open(link.paths.log(number), [.read, .noFollow, .nonblocking]),
      let size = try? file.size()
    {
      start = from ?? (size > Self.logTail ? size - Self.logTail : 0)
      if start > size { start = 0 }
      answer.body = (try? file.read(at: start, maximum: Self.logPiece)) ?? []
    }
    answer.heads = ["X-Next", "\(start + UInt64(answer.body.count))", "X-From", "\(start)"]
    return answer
  }

  // MARK: Changing

  private func act(_ verb: String, on number: JobNumber) throws(WireError) -> Answer {
    let job = JobReference.number(number)
    let request: Request
    switch verb {
    case "cancel": request = .cancel(job, now: false)
    case "kill": request = .cancel(job, now: true)
    case "pause": request = .pause(job, keepSlot: false)
    case "resume": request = .resume(job)
    case "continue": request = .answer(job, continues: true)
    case "stop": request = .answer(job, continues: false)
    case "redo": request = .redo(job)
    default: throw WireError(.notFound, "a page cannot \(verb.quoted) a job")
    }
    return .json(try self.job(answering: request).json)
  }
}
