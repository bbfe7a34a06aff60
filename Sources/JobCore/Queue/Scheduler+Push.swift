// Pushes wake a program at the request of others: they have low priority and a small budget, a burst delivers
// only the newest, and the user can switch them off.
extension Scheduler {
  /// Replaces the waiting push of the same name, if there is one, and answers; whether it did.
  mutating func coalesce(
    _ submission: Submission, with existing: JobNumber?, _ tag: RequestTag
  ) -> Bool {
    guard let existing, let index = table.index(of: existing), joins(submission, index) else {
      return false
    }
    if let refusal = refusal(ofAny: submission) {
      outbox.reply(tag, .refused(refusal))
      return true
    }
    outbox.announce(existing, .edited, state(index))
    outbox.reply(tag, .kept(existing))
    return true
  }

  /// Whether a push merges into the waiting one.
  private func joins(_ submission: Submission, _ index: Int) -> Bool {
    let waiting = table[index].submission
    return submission.options.kind == .push && !table[index].isActive
      && waiting.options.kind == .push && waiting.notBefore == nil
  }

  /// Whether it leaves the job of its name unchanged: a push merges into a waiting one, and follows a running
  /// one unless it is to replace that.
  package func leavesAlone(_ existing: JobNumber, _ submission: Submission) -> Bool {
    guard submission.options.kind == .push, let index = table.index(of: existing) else {
      return false
    }
    return table[index].isActive ? submission.leavesRunning : joins(submission, index)
  }

  /// Why a push exceeds its bundle's budget and is dropped; nil when it is accepted.
  ///
  /// The refusal is immediate, and later pushes may merge into a waiting one; a push that is delayed like a
  /// task would be stale.
  func refusal(byBudgetOf submission: Submission) -> Refusal? {
    guard submission.options.kind == .push, let bundle = submission.bundle, let now = timeOfDay
    else { return nil }
    let allowance = allowance(ofPushesFor: bundle)
    guard let until = allowance.until, let why = allowance.why else { return nil }
    return Refusal(
      .tooManyPendingTaskRequests,
      "\(why), so this push is dropped; the next may come in \((until - now).words)")
  }

  /// Delays a push that would wake a program again too soon; whether it does.
  mutating func restBeforePush(_ index: Int, announcing kind: Announcement.Kind, at now: Instant)
    -> Bool
  {
    let terms = table[index].terms
    guard terms.submission.options.kind == .push, !terms.submission.isHeld,
      let (end, why) = rest(before: terms.submission, at: now)
    else {
      return false
    }
    let reason = PendingReason(.notBefore, why)
    let number = table[index].number
    delayed.insert(number)
    table[index].phase = .delayed(until: end, reason)
    outbox.announce(number, kind, .queued(reason))
    deadlines.set(end, at: index)
    return true
  }

  /// Until when a push is not to wake its program again, and why; nil when it may.
  func rest(before submission: Submission, at now: Instant) -> (end: Instant, why: String)? {
    guard submission.options.kind == .push,
      let end = pushRests.end(of: submission.identifier, at: now)
    else { return nil }
    return (end, "pushes wake it once in \(PushRests.length.words), with the newest of them")
  }
}
