import JobCore
import JobStore
import JobWire
import LinuxSystem

/// Keeps the history of ended jobs within its bounds.
final class HistoryKeeper {
  private let store: Store
  private let mayForget: () -> Bool
  private let forget: (JobNumber) -> Void
  private let trouble: (String) -> Void
  /// Jobs that ended since the history was last brought to its bounds.
  private var endsSincePruning = 0
  /// How many jobs may still be forgotten for their age, and when a new allowance is made.
  private var ageAllowance = 0
  private var nextAllowanceAt = Instant(nanoseconds: 0)

  /// `mayForget` is asked whether anything may go now; `forget` is told each job that is not in the
  /// store any more, `trouble` in a sentence why old ones stay.
  init(
    store: Store, mayForget: @escaping () -> Bool, forget: @escaping (JobNumber) -> Void,
    trouble: @escaping (String) -> Void
  ) {
    self.store = store
    self.mayForget = mayForget
    self.forget = forget
    self.trouble = trouble
  }

  /// A job has ended: after so many, the history is looked at.
  func jobEnded(_ configuration: RunnerConfiguration) {
    endsSincePruning += 1
    if endsSincePruning >= Limits.prunedEvery { prune(configuration) }
  }

  /// Forgets what is too old or too much, a page at a time.
  func prune(_ configuration: RunnerConfiguration) {
    endsSincePruning = 0
    guard mayForget() else { return }
    let now = WallTime(milliseconds: WallClock.now())
    let oldest = now - .days(UInt64(configuration.historyDays))
    do throws(StoreError) {
      try renewAllowance()
      var aged: [JobNumber] = []
      let pruned = try store.transaction(.normal) { () throws(StoreError) in
        try store.pruneEvents(keeping: Limits.keptEvents, limit: Limits.keptEvents)
        aged = try store.prune(
          endedBefore: oldest.milliseconds, limit: min(ageAllowance, Limits.listPage))
        return try store.prune(keeping: configuration.historyCount, limit: Limits.listPage)
      }
      ageAllowance -= aged.count
      // A full page may not have been all: the next end goes on with it.
      if max(pruned.count, aged.count) == Limits.listPage { endsSincePruning = Limits.prunedEvery }
      for number in aged + pruned { forget(number) }
    } catch {
      trouble("old jobs cannot be removed: \(error.message)")
    }
  }

  /// A tenth of the history may go for its age at a start, and as much on each day after it: what is old
  /// is so by a clock that may be years ahead.
  private func renewAllowance() throws(StoreError) {
    let now = AwakeClock.instant(in: .zero)
    guard now >= nextAllowanceAt else { return }
    ageAllowance = (try store.endedCount() + 9) / 10
    nextAllowanceAt = now + .days(1)
  }
}
