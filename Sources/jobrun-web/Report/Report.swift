internal import JobClient
internal import JobCore
internal import JobWire
internal import LinuxSystem

/// Jobs and how far they were at which time, for a file that somebody keeps.
struct Report {
  struct Entry {
    var job: JobStatus
    var trace: ProgressTrace
  }

  /// Ascending by number.
  var entries: [Entry]
  let now: WallTime

  /// Carries out `jobrun-web report since MS` and `jobrun-web report NUMBER…`.
  static func print(_ words: [String], isJSON: Bool) throws(WireError) {
    let link = try Surroundings().hostLink()
    let jobs: [JobStatus]
    if words.first == "since", words.count == 2, let since = Int64(words[1]) {
      jobs = try Self.jobs(since: WallTime(milliseconds: since), link)
    } else {
      jobs = try words.map { word throws(WireError) in
        guard let number = UInt64(word),
          case .job(let job, _) = try link.ask(.show(.number(JobNumber(number))))
        else { throw WireError(.usage, "\(word.quoted) is not the number of a job") }
        return job
      }
    }
    let report = Report(
      entries: jobs.sorted { $0.number < $1.number }
        .map { Entry(job: $0, trace: .read($0.number, link.paths)) },
      now: WallTime(milliseconds: WallClock.now()))
    try StandardOutput.write(isJSON ? report.json : Array(ReportPage(report).text.utf8))
  }

  /// Those that ended since then or have not ended.
  private static func jobs(since: WallTime, _ link: RunnerLink) throws(WireError) -> [JobStatus] {
    var jobs: [JobNumber: JobStatus] = [:]
    _ = try link.ask(.list(all: false)) { jobs[$0.number] = $0 }
    var query = HistoryQuery()
    query.limit = 0
    query.since = since
    // One that has ended between the two questions is as it is by now.
    try link.history(query) { jobs[$0.number] = $0 }
    return Array(jobs.values)
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
