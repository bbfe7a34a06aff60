extension Scheduler {
  /// Warns of a job that gives no sign of life, and stops it when that lasts.
  mutating func judgeSilence(_ index: Int, at now: Instant) {
    let silentAfter = table[index].submission.options.silentAfter
    switch table[index].watch.judgeSilence(silentAfter: silentAfter, at: now) {
    case .none: break
    case .warned: outbox.announce(table[index].number, .warned, state(index))
    case .expired: expire(index, at: now)
    }
  }

  func silenceReason(of index: Int) -> StopReason {
    let span = table[index].submission.options.silentAfter.map { " for \($0.words)" } ?? ""
    return StopReason(.silent, "it gave no sign of life\(span)")
  }

  /// Stops a job as silent.
  mutating func expire(_ index: Int, at now: Instant) {
    stop(index, silenceReason(of: index), at: now)
  }

  /// A background task usually ends because its time is up.
  mutating func expireAsSimulated(_ index: Int, at now: Instant) {
    guard table[index].submission.options.kind.isScheduled else { return expire(index, at: now) }
    stop(index, StopReason(.limit, "its time is up (simulated)"), at: now)
  }
}
