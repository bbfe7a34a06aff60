package import JobCore
package import JobStore
package import JobWire
import LinuxSystem

/// Keeps the history of ended jobs within its bounds, a page at a time: many may end at once, and the loop
/// serves others in between.
package final class HistoryPruner: Part {
  private let store: Store
  private let configuration: () -> RunnerConfiguration
  private let mayForget: () -> Bool
  private let isRead: (JobNumber) -> Bool
  private let forget: (JobNumber) -> Void
  private let trouble: (String) -> Void
  /// Jobs that ended since the history was last brought to its bounds.
  private var endsSincePruning = 0
  /// When the next page is checked; nil = not before more jobs have ended.
  package private(set) var nextDue: Instant?
  /// How many jobs may still be forgotten for their age, and when the allowance is renewed.
  private var ageAllowance = 0
  private var nextAllowanceAt = Instant(nanoseconds: 0)

  /// `mayForget`: whether jobs may be removed now; `isRead`: whether a client may still have to read this job's
  /// output; `forget` gets each job that was removed from the store,
  /// `trouble` a sentence if old ones stay.
  package init(
    store: Store, configuration: @escaping () -> RunnerConfiguration,
    mayForget: @escaping () -> Bool, isRead: @escaping (JobNumber) -> Bool = { _ in false },
    forget: @escaping (JobNumber) -> Void,
    trouble: @escaping (String) -> Void
  ) {
    self.store = store
    self.configuration = configuration
    self.mayForget = mayForget
    self.isRead = isRead
    self.forget = forget
    self.trouble = trouble
  }

  /// A job has ended: after a number of them, few of a short history, it is checked.
  package func jobEnded() {
    endsSincePruning += 1
    let enough = min(Limits.prunedEvery, configuration().historyCount / 8 + 1)
    if endsSincePruning >= enough { nextDue = min(nextDue ?? .now(), .now()) }
  }

  /// Forgets a page of jobs that exceed the age or the number.
  package func act(at now: Instant) {
    (endsSincePruning, nextDue) = (0, nil)
    guard mayForget() else {
      nextDue = now + Self.delay
      return
    }
    prune(configuration())
  }

  /// Until it is asked again whether anything may be forgotten.
  private static let delay = Interval.seconds(1)
  /// Until it is asked again whether a job is still read: a reader may stand still for days.
  private static let readersDelay = Interval.minutes(1)

  private func prune(_ configuration: RunnerConfiguration) {
    let now = WallTime(milliseconds: WallClock.now())
    let oldest = now - .days(UInt64(configuration.historyDays))
    do throws(StoreError) {
      try renewAllowance()
      var aged: [JobNumber] = []
      var hasSpared = false
      let isSpared = { [isRead] (number: JobNumber) -> Bool in
        let isRead = isRead(number)
        hasSpared = hasSpared || isRead
        return isRead
      }
      let pruned = try store.transaction(.normal) { () throws(StoreError) in
        try store.pruneEvents(keeping: Limits.keptEvents, limit: Limits.keptEvents)
        aged = try store.prune(
          endedBefore: oldest.milliseconds, limit: min(ageAllowance, Limits.listPage),
          sparing: isSpared)
        return try store.prune(
          keeping: configuration.historyCount, limit: Limits.listPage, sparing: isSpared)
      }
      ageAllowance -= aged.count
      if hasSpared { nextDue = .now() + Self.readersDelay }
      // A full page may not have been all.
      if max(pruned.count, aged.count) == Limits.listPage { nextDue = .now() }
      for number in aged + pruned { forget(number) }
    } catch {
      trouble("old jobs cannot be removed: \(error.message)")
    }
  }

  /// A tenth of the history may be removed for its age at a start, and as much on each following day: the clock
  /// that decides about ages may be years ahead.
  private func renewAllowance() throws(StoreError) {
    let now = AwakeClock.instant(in: .zero)
    guard now >= nextAllowanceAt else { return }
    ageAllowance = (try store.endedCount() + 9) / 10
    nextAllowanceAt = now + .days(1)
  }
}
