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
  private static let largestPiece = 1 << 20
  private static let reasonsAtOnce = 64
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
    case ("GET", "timeline", 1):
      return try timeline(
        since: argument("since").flatMap { Int64($0) } ?? 0, matching: argument("text") ?? "",
        width: width(argument("width")))
    case ("GET", "reasons", 1): return try reasons(of: argument("of") ?? "")
    case ("GET", "jobs", 2):
      return try picture(of: number(words[2]), width: width(argument("width")))
    case ("GET", "jobs", 3) where words[3] == "log":
      return try log(
        of: number(words[2]), from: argument("from").flatMap { UInt64($0) },
        most: argument("most").flatMap { Int($0) } ?? Self.logPiece)
    case ("GET", "jobs", 3) where words[3] == "find":
      return try find(
        argument("text") ?? "", in: number(words[2]),
        from: argument("from").flatMap { UInt64($0) } ?? 0, isBack: argument("back") != nil)
    case ("GET", "groups", 2): return try tally(of: GroupName(checking: String(words[2])))
    case ("POST", "groups", 3):
      return try act(String(words[3]), onAll: .group(GroupName(checking: String(words[2]))))
    case ("POST", "ranges", 3): return try act(String(words[3]), onAll: .range(range(words[2])))
    case ("POST", "jobs", 3):
      return try act(String(words[3]), on: number(words[2]), argument: argument)
    default: return nil
    }
  }

  private func number(_ text: Substring) throws(WireError) -> JobNumber {
    guard let number = UInt64(text) else {
      throw WireError(.usage, "\(String(text).quoted) is not a job number")
    }
    return JobNumber(number)
  }

  /// `12-61`.
  private func range(_ text: Substring) throws(WireError) -> JobRange {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { UInt64($0) }
    guard ends.count == 2, let first = ends[0], let last = ends[1], first > 0, first <= last,
      let count = Int32(exactly: last - first)
    else { throw WireError(.usage, "\(String(text).quoted) is not a list of job numbers") }
    return JobRange(first: JobNumber(first), count: Int(count) + 1)
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

  /// Why these jobs wait, by their numbers, as they are on the screen: `12,13`.
  private func reasons(of numbers: String) throws(WireError) -> Answer {
    var writer = JSONWriter()
    writer.beginArray()
    for text in numbers.split(separator: ",").prefix(Self.reasonsAtOnce) {
      // One that has been forgotten has none.
      guard let job = try? job(answering: .show(.number(number(text)))) else { continue }
      writer.beginObject()
      writer.field("number", job.number.value)
      writer.key("pendingReason")
      if let reason = job.pendingReason { writer.value(reason) } else { writer.null() }
      writer.endObject()
    }
    writer.endArray()
    return .json(writer.bytes)
  }

  /// Of a picture, in the page's own pixels.
  private func width(_ text: String?) -> Double {
    Double(min(max(text.flatMap { Int($0) } ?? 720, 200), 4_000))
  }

  /// All that is known of one job, with its curve as markup.
  private func picture(of number: JobNumber, width: Double) throws(WireError) -> Answer {
    let job = try job(answering: .show(.number(number)))
    let drawing = job.started.flatMap { started in
      CurveDrawing(
        .read(number, link.paths), started: started, ended: job.ended,
        now: WallTime(milliseconds: WallClock.now()), width: width)
    }
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("job")
    writer.value(job)
    writer.field(
      "curve", drawing.map { $0.svg("Progress of job \(number), \(job.fate)") + $0.legend })
    writer.endObject()
    return .json(writer.bytes)
  }

  /// What has run since then and matches the page's filter, as markup; empty if nothing has.
  private func timeline(
    since: Int64, matching text: String, width: Double
  ) throws(WireError) -> Answer {
    let wanted = text.lowercased()
    var jobs: [JobNumber: JobStatus] = [:]
    func take(_ job: JobStatus) {
      let texts = [job.title, job.definition, job.terms.group]
      let isMeant =
        wanted.isEmpty || "\(job.number)" == wanted
        || texts.contains { $0?.lowercased().holds(wanted) ?? false }
      if isMeant, job.started != nil { jobs[job.number] = job }
    }
    _ = try link.ask(.list(all: false, brief: true)) { take($0) }
    var query = HistoryQuery()
    query.limit = 0
    query.since = WallTime(milliseconds: since)
    // A job that has ended between the two requests has its newer state.
    try link.history(query) { take($0) }
    let frame = TimelineDrawing.Frame(
      width: width, since: query.since, isOnPage: true)
    let drawing = TimelineDrawing(
      Array(jobs.values), now: WallTime(milliseconds: WallClock.now()), frame
    ) { .read($0, link.paths) }
    let markup = drawing.map { Patterns.svg + $0.svg + $0.key } ?? ""
    return Answer(status: 200, type: "text/html; charset=utf-8", body: Array(markup.utf8))
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
  private func log(of number: JobNumber, from: UInt64?, most: Int) throws(WireError) -> Answer {
    var answer = Answer(status: 200, type: "text/plain; charset=utf-8", body: [])
    var start: UInt64 = 0
    var size: UInt64 = 0
    if let file = try file(of: number) {
      size = (try? file.size()) ?? 0
      start = from ?? (size > Self.logTail ? size - Self.logTail : 0)
      if start > size { start = 0 }
      let piece = max(1, min(most, Self.largestPiece))
      answer.body = (try? file.read(at: start, maximum: piece)) ?? []
    }
    answer.heads = [
      "X-Next", "\(start + UInt64(answer.body.count))", "X-From", "\(start)", "X-Size", "\(size)",
    ]
    return answer
  }

  /// Nil while the job has printed nothing.
  private func file(of number: JobNumber) throws(WireError) -> FileDescriptor? {
    _ = try job(answering: .show(.number(number)))
    return try? File.open(link.paths.log(number), [.read, .noFollow, .nonblocking])
  }

  /// Where a log has this text, from there on or before; where to go on when that is not known yet.
  private func find(
    _ text: String, in number: JobNumber, from: UInt64, isBack: Bool
  ) throws(WireError) -> Answer {
    guard !text.isEmpty, text.utf8.count <= 256 else {
      throw WireError(.usage, "the search text must have 1 to 256 bytes")
    }
    var found = LogSearch.Result()
    if let file = try file(of: number) {
      found = LogSearch(text, isBack: isBack).result(in: file, from: from)
    }
    var writer = JSONWriter()
    writer.beginObject()
    writer.field("at", found.at)
    writer.field("next", found.next)
    writer.endObject()
    return .json(writer.bytes)
  }

  // MARK: Changing

  private func act(
    _ verb: String, on number: JobNumber, argument: (String) -> String?
  ) throws(WireError) -> Answer {
    let job = JobReference.number(number)
    let request: Request
    switch verb {
    case "cancel": request = .cancel(.one(job), now: false)
    case "kill": request = .cancel(.one(job), now: true)
    case "pause":
      request = .pause(.one(job), keepSlot: false, length: try length(argument("for")))
    case "resume": request = .resume(.one(job))
    case "rename":
      var edit = JobEdit()
      edit.title = argument("title") ?? ""
      request = .edit(job, edit)
    case "continue": request = .answer(job, continues: true)
    case "stop": request = .answer(job, continues: false)
    case "redo": request = .redo(job)
    case "first": request = .move(job, behind: nil)
    default: throw WireError(.notFound, "a page cannot \(verb.quoted) a job")
    }
    return .json(try self.job(answering: request).json)
  }

  /// Of a pause, in seconds; nil = until it is resumed.
  private func length(_ text: String?) throws(WireError) -> Interval? {
    guard let text else { return nil }
    guard let seconds = UInt64(text) else {
      throw WireError(.usage, "\(text.quoted) is not a number of seconds")
    }
    return .seconds(seconds)
  }

  /// Of a group, or of the jobs of one submission.
  private func act(_ verb: String, onAll jobs: JobSelection) throws(WireError) -> Answer {
    let request: Request
    switch verb {
    case "cancel": request = .cancel(.some(jobs), now: false)
    case "pause": request = .pause(.some(jobs), keepSlot: false)
    case "resume": request = .resume(.some(jobs))
    default: throw WireError(.notFound, "a page cannot \(verb.quoted) several jobs")
    }
    // As jobrun pause does, or the next of them would start in the slots that are given away.
    if case .group(let group) = jobs, verb != "cancel" {
      _ = try link.ask(.pauseGroup(group, verb == "pause"))
    }
    var count = 0
    _ = try link.ask(request) { _ in count += 1 }
    var writer = JSONWriter()
    writer.beginObject()
    writer.field("count", count)
    writer.endObject()
    return .json(writer.bytes)
  }
}
