internal import JobCore
internal import JobWire

/// Jobs of one submission, which a report shows as one.
struct ReportedBatch {
  /// Ascending by number; at least one.
  let entries: [Report.Entry]

  /// Jobs, and those of one submission together, in the order of their numbers.
  static func all(of entries: [Report.Entry]) -> [ReportedBatch] {
    var batches: [[Report.Entry]] = []
    var key: Key?
    for entry in entries {
      let next = Key(entry.job)
      if next == nil || next != key { batches.append([]) }
      batches[batches.count - 1].append(entry)
      key = next
    }
    return batches.map { ReportedBatch(entries: $0) }
  }

  /// What only jobs of one submission share: they are accepted at once, with numbers and identifiers that
  /// follow on each other (`Batch`).
  private struct Key: Hashable {
    let stem: Substring
    let before: UInt64
    let submitted: WallTime

    init?(_ job: JobStatus) {
      guard let dot = job.identifier.lastIndex(of: "."),
        let place = UInt64(job.identifier[job.identifier.index(after: dot)...]),
        place <= job.number.value
      else { return nil }
      stem = job.identifier[..<dot]
      before = job.number.value - place
      submitted = job.submitted
    }
  }

  var jobs: [JobStatus] { entries.map(\.job) }

  /// What their titles have in common, in whole words.
  var title: String {
    let titles = jobs.map(\.title)
    guard let first = titles.first, titles.contains(where: { $0 != first }) else {
      return titles.first ?? ""
    }
    let shared = titles.reduce(first) { $0.commonPrefix(with: $1) }
    let words = shared.lastIndex(of: " ").map { String(shared[..<$0]) } ?? shared
    return (words.isEmpty ? first : words) + " …"
  }

  /// How many of them had ended at which time.
  func curve(now: WallTime) -> ProgressCurve? {
    guard let started = jobs.compactMap(\.started).min() else { return nil }
    let ends = jobs.compactMap(\.ended).sorted()
    let points = ends.enumerated().map { index, end in
      ProgressTrace.Point(
        at: end, attempt: 1, completed: UInt64(index + 1), total: UInt64(jobs.count), unit: .items)
    }
    return ProgressCurve(
      ProgressTrace(points: points, interval: ProgressTrace.shortest), started: started,
      ended: ends.count == jobs.count ? ends.last : nil, now: now)
  }

  /// Those that people look for first, first.
  var byInterest: [Report.Entry] {
    entries.filter { $0.job.outcome != .succeeded }
      + entries.filter { $0.job.outcome == .succeeded }
  }
}

extension String {
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
