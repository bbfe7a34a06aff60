internal import JobClient
internal import JobCore
internal import JobWire

/// Jobs of one submission, which a report shows as one.
struct ReportedBatch {
  /// Ascending by number; at least one.
  let entries: [Report.Entry]
  let jobs: [JobStatus]

  init(entries: [Report.Entry]) {
    self.entries = entries
    jobs = entries.map(\.job)
  }

  /// Jobs, and those of one submission together, in the order of their numbers.
  static func all(of entries: [Report.Entry]) -> [ReportedBatch] {
    var batches: [[Report.Entry]] = []
    var key: BatchKey?
    for entry in entries {
      let next = BatchKey(entry.job)
      if next == nil || next != key { batches.append([]) }
      batches[batches.count - 1].append(entry)
      key = next
    }
    return batches.map { ReportedBatch(entries: $0) }
  }

  /// The common part of their titles, in whole words.
  var title: String { BatchTitle(jobs.map(\.title)).text }

  /// How many jobs were submitted together, those included that are not in the report.
  var size: Int { max(jobs.count, jobs[0].terms.batchSize ?? 0) }

  /// The number of ended jobs over time; `others` had ended before.
  func curve(now: WallTime, others: Int) -> ProgressCurve? {
    guard let started = jobs.compactMap(\.started).min() else { return nil }
    let ends = jobs.compactMap(\.ended).sorted()
    let points = ends.enumerated().map { index, end in
      ProgressTrace.Point(
        at: end, attempt: 1, completed: UInt64(others + index + 1),
        total: UInt64(others + jobs.count), unit: .items)
    }
    return ProgressCurve(
      ProgressTrace(points: points, interval: ProgressTrace.shortest), started: started,
      ended: ends.count == jobs.count ? ends.last : nil, now: now)
  }

  /// In the order of importance.
  var byInterest: [Report.Entry] {
    entries.filter { $0.job.outcome != .succeeded }
      + entries.filter { $0.job.outcome == .succeeded }
  }
}
