extension Watch {
  enum SilenceVerdict: Hashable, Sendable {
    case none
    /// Two thirds of the limit are over: warn once.
    case warned
    /// Confirmed: no sign of life for the whole limit.
    case expired
  }

  /// The verdict of the last sample on a job that may be silent for `silentAfter`; nil = unlimited.
  mutating func judgeSilence(silentAfter: Interval?, at now: Instant) -> SilenceVerdict {
    guard let silentAfter, now >= warningDue(silentAfter) else { return .none }
    var verdict = SilenceVerdict.none
    if !isWarned {
      isWarned = true
      verdict = .warned
    }
    guard now >= quietSince + silentAfter else { return verdict }
    guard let suspectedAt = silenceSuspectedAt else {
      silenceSuspectedAt = now
      return verdict
    }
    return now >= suspectedAt + Watch.confirmation ? .expired : verdict
  }

  /// When the next sample could show that the job is silent.
  func silenceLookDue(silentAfter: Interval?) -> Instant? {
    guard let silentAfter else { return nil }
    if let suspectedAt = silenceSuspectedAt { return suspectedAt + Watch.confirmation }
    let due = isWarned ? quietSince + silentAfter : warningDue(silentAfter)
    return often(due, in: silentAfter)
  }

  /// From when on silence counts: the last sign of life, or the end of a quiet phase that the job
  /// announced.
  private var quietSince: Instant { max(reportedAt, quietUntil) }

  private func warningDue(_ silentAfter: Interval) -> Instant {
    quietSince + Watch.warningSpan(silentAfter)
  }

  /// Two thirds.
  static func warningSpan(_ silentAfter: Interval) -> Interval { silentAfter / 3 * 2 }
}
