extension Watch {
  /// Whether the last sample confirms that the job is stalled: it counts towards a known total, reports, and
  /// has not advanced for the whole timeout.
  ///
  /// With `silenceCounts` it need not report: nothing else would ever ask about it.
  mutating func judgeStall(silenceCounts: Bool, at now: Instant) -> Bool {
    guard isStallable, hasReportedSinceAdvance || silenceCounts,
      now >= timeoutFrom + stallTimeout
    else {
      stallSuspectedAt = nil
      return false
    }
    guard let suspectedAt = stallSuspectedAt else {
      stallSuspectedAt = now
      return false
    }
    return now >= suspectedAt + Watch.confirmation
  }

  /// From when on the timeout counts: the last advance, or the end of a quiet phase that the job
  /// announced.
  private var timeoutFrom: Instant { max(advancedAt, quietUntil) }

  /// A job without a total, or with all of it done, is never stalled.
  private var isStallable: Bool { sample.total > 0 && sample.completed < sample.total }

  /// When the next sample could show a stall.
  ///
  /// Without a suspicion after the timeout (the job did not report, or does not count) the next sample is one
  /// timeout later.
  var stallLookDue: Instant {
    if let suspectedAt = stallSuspectedAt { return suspectedAt + Watch.confirmation }
    let due = timeoutFrom + stallTimeout
    let next = sampledAt >= due ? sampledAt + stallTimeout : due
    return isStallable ? often(next, in: stallTimeout) : next
  }
}

extension PageSample {
  /// Whether the worker wrote anything since `old`.
  func differsInWorkerFields(from old: PageSample) -> Bool {
    completed != old.completed || total != old.total || reports != old.reports || unit != old.unit
      || textSequence != old.textSequence || quietUntil != old.quietUntil
  }

  /// Whether the fraction done grew since `old`.
  ///
  /// Compared exactly, as cross products of 128 bits: a job of 2⁶⁰ bytes that did one more advanced.
  /// To begin counting towards a total is an advance too.
  func isAdvance(from old: PageSample) -> Bool {
    guard total > 0 else { return false }
    guard old.total > 0 else { return true }
    let new = min(completed, total).multipliedFullWidth(by: old.total)
    let before = min(old.completed, old.total).multipliedFullWidth(by: total)
    return new.high != before.high ? new.high > before.high : new.low > before.low
  }
}
