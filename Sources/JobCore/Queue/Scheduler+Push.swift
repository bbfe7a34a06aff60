// Pushes wake a program when others want it to: low, few of them, of a burst the newest, and none that its
// person has switched off.
extension Scheduler {
  /// Puts a push in the place of the one that waits under its name; whether one did, and it is answered.
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

  /// Whether a push is told with the one that waits there.
  private func joins(_ submission: Submission, _ index: Int) -> Bool {
    let waiting = table[index].submission
    return submission.options.kind == .push && !table[index].isActive
      && waiting.options.kind == .push && waiting.notBefore == nil
  }

  /// Whether it leaves the job of its name as it is: a push joins one that waits, and follows one that runs.
  package func leavesAlone(_ existing: JobNumber, _ submission: Submission) -> Bool {
    guard submission.options.kind == .push, let index = table.index(of: existing) else {
      return false
    }
    return table[index].isActive ? submission.followsRunning : joins(submission, index)
  }

  /// Why a push is dropped that its bundle's budget has nothing left for; nil when it may come.
  ///
  /// It is told at once, and later ones may join one that waits; what is put off like a task would be old news.
  func refusal(byBudgetOf submission: Submission) -> Refusal? {
    guard submission.options.kind == .push, let bundle = submission.bundle, let now = timeOfDay
    else { return nil }
    let allowance = allowance(ofPushesFor: bundle)
    guard let until = allowance.until, let why = allowance.why else { return nil }
    return Refusal(
      .tooManyPendingTaskRequests,
      "\(why), so this push is dropped; the next may come in \((until - now).words)")
  }

  /// Lets a push wait that would wake a program again at once; whether it does.
  mutating func restBeforePush(_ index: Int, announcing kind: Announcement.Kind, at now: Instant)
    -> Bool
  {
    let submission = table[index].submission
    guard !submission.isHeld, let (end, why) = rest(before: submission, at: now) else {
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
