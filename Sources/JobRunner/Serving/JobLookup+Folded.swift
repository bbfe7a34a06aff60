import JobCore
import JobRuntime
import JobWire

// Waiting jobs of one submission are one in a folded list.
extension JobLookup {
  func waiting(like number: JobNumber, _ others: ArraySlice<JobNumber>) -> FoldedJobs? {
    // Most are alone, and the whole of one is large.
    guard runtime.jobs[number]?.submission.batchSize ?? 0 > 1, let first = runtime.jobs[number],
      let fold = first.fold
    else { return nil }
    var count = 0
    var shared = first.title.utf8[...]
    for other in others {
      guard other.value == number.value + UInt64(count) + 1,
        runtime.jobs[other]?.waits(in: fold, &shared) ?? false
      else { break }
      count += 1
    }
    guard count > 0 else { return nil }
    let isSame = shared.count == first.title.utf8.count
    return FoldedJobs(count: count, title: isSame ? nil : String(decoding: shared, as: UTF8.self))
  }
}

extension LiveJob {
  fileprivate struct Fold: Equatable {
    let batch: BatchKey
    let group: GroupName?
  }

  /// The jobs with which it is listed as one; nil once it has begun, and for one that was submitted alone.
  fileprivate var fold: Fold? {
    guard case .queued = state, startedAt == nil,
      let batch = BatchKey(number, submission.identifier.text, submitted: submittedAt)
    else { return nil }
    return Fold(batch: batch, group: submission.options.group)
  }

  /// Whether it is one of these; if so, `shared` is cut to what its title begins with, too.
  fileprivate func waits(in other: Fold, _ shared: inout Substring.UTF8View) -> Bool {
    guard fold == other else { return false }
    let isSame = title.utf8.count == shared.count && title.utf8.starts(with: shared)
    if !isSame { shared = shared.prefix(zip(shared, title.utf8).prefix { $0 == $1 }.count) }
    return true
  }
}
