internal import JobClient
internal import JobCore
internal import JobWire
internal import LinuxSystem

/// Jobs with their progress over time, for a file to keep.
struct Report {
  struct Entry {
    var job: JobStatus
    var trace: ProgressTrace
  }

  /// Ascending by number.
  var entries: [Entry]
  /// The common group of the jobs; nil when none was requested.
  var group: String?
  /// Whether they were named one by one, so that others of their submissions may be in any state.
  var isChosen = false
  let now: WallTime

  /// So that no name of a group is taken for another word.
  private static let groupPrefix = "group:"

  /// Carries out `report since MS [group:NAME]` and `report NUMBER…`.
  static func print(_ words: [String], isJSON: Bool) throws(WireError) {
    let link = try Surroundings().hostLink()
    let jobs: [JobStatus]
    var isChosen = false
    let group = words.dropFirst(2).first { $0.hasPrefix(Self.groupPrefix) }
      .map { String($0.dropFirst(Self.groupPrefix.count)) }
    if words.first == "since", words.count > 1, let since = Int64(words[1]) {
      let since = WallTime(milliseconds: since)
      jobs =
        if let group {
          try Self.jobs(since: since, of: group, link)
        } else {
          try Self.jobs(since: since, link)
        }
    } else {
      isChosen = true
      jobs = try Set(words).map { word throws(WireError) in
        guard let number = UInt64(word),
          case .job(let job, _) = try link.ask(.show(.number(JobNumber(number))))
        else { throw WireError(.usage, "\(word.quoted) is not a job number") }
        return job
      }
    }
    let report = Report(
      entries: jobs.sorted { $0.number < $1.number }
        .map { Entry(job: $0, trace: .read($0.number, link.paths)) }, group: group,
      isChosen: isChosen, now: WallTime(milliseconds: WallClock.now()))
    try StandardOutput.write(isJSON ? report.json : Array(ReportPage(report).text.utf8))
  }

  /// The jobs that ended since then or are live.
  private static func jobs(
    since: WallTime, _ link: RunnerLink
  ) throws(WireError) -> [JobStatus] {
    var jobs: [JobNumber: JobStatus] = [:]
    _ = try link.ask(.list(all: false)) { jobs[$0.number] = $0 }
    var query = HistoryQuery()
    query.limit = 0
    query.since = since
    // A job that has ended between the two requests has its newer state.
    try link.history(query) { jobs[$0.number] = $0 }
    return Array(jobs.values)
  }

  /// Only the jobs of a group; others are not loaded.
  private static func jobs(
    since: WallTime, of group: String, _ link: RunnerLink
  ) throws(WireError) -> [JobStatus] {
    var members: [JobStatus] = []
    _ = try link.list(all: true, brief: false, of: GroupName(checking: group)) { job in
      if job.ended.map({ $0 >= since }) ?? true { members.append(job) }
      return true
    }
    guard !members.isEmpty else {
      throw WireError(
        .notFound,
        "no job of group \(group) is live, and none ended in the period of the report")
    }
    return members
  }

  private var json: [UInt8] {
    entries.flatMap { entry in
      var writer = JSONWriter()
      writer.value(entry.job, entry.trace)
      writer.newline()
      return writer.bytes
    }
  }
}
