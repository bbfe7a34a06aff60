extension Scheduler {
  /// Warns of a job that gives no sign of life, and stops it when that lasts.
  mutating func judgeSilence(_ place: Int, at now: Instant) {
    let silentAfter = table[place].submission.options.silentAfter
    switch table[place].watch.judgeSilence(silentAfter: silentAfter, at: now) {
    case .none: break
    case .warned: outbox.announce(table[place].number, .warned, state(place))
    case .expired: expire(place, at: now)
    }
  }

  /// Stops a job as silent.
  func silenceReason(of place: Int) -> StopReason {
    let span = table[place].submission.options.silentAfter.map { " for \($0.words)" } ?? ""
    return StopReason(.silent, "it gave no sign of life\(span)")
  }

  mutating func expire(_ place: Int, at now: Instant) {
    stop(place, silenceReason(of: place), at: now)
  }
}
