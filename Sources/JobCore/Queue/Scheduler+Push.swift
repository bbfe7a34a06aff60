// Pushes wake a program when others want it to: low, few of them, of a burst the newest, and none that its
// person has switched off.
extension Scheduler {
  /// Puts a push in the place of the one that waits under its name; whether one did, and it is answered.
  mutating func coalesce(
    _ submission: Submission, with existing: JobNumber?, _ tag: RequestTag
  ) -> Bool {
    guard submission.options.kind == .push, let existing, let index = table.index(of: existing),
      !table[index].isActive, case let waiting = table[index].submission,
      waiting.options.kind == .push, waiting.notBefore == nil
    else { return false }
    if let refusal = refusal(ofAny: submission) {
      outbox.reply(tag, .refused(refusal))
      return true
    }
    outbox.announce(existing, .edited, state(index))
    outbox.reply(tag, .kept(existing))
    return true
  }

  /// Takes a launch out of the budget of a push's bundle; why it cannot be, nil when it is done.
  mutating func refusal(byBudgetOf submission: Submission, at now: Instant) -> Refusal? {
    guard submission.options.kind == .push, let bundle = submission.bundle,
      let wait = pushBudget.take(for: bundle, at: now)
    else { return nil }
    return Refusal(
      .tooManyPendingTaskRequests,
      "\(bundle) has used up its pushes (\(PushBudget.most) at once, then one every"
        + " \(PushBudget.interval.words)), so this one is dropped; the next may come in \(wait.words)"
    )
  }

  /// Lets a push wait that would wake a program again at once; whether it does.
  mutating func restBeforePush(_ index: Int, announcing kind: Announcement.Kind, at now: Instant)
    -> Bool
  {
    let submission = table[index].submission
    guard submission.options.kind == .push, !submission.isHeld,
      let end = pushBudget.restEnd(of: submission.identifier, at: now)
    else { return false }
    let reason = PendingReason(
      .notBefore, "pushes wake it once in \(PushBudget.rest.words), with the newest of them")
    let number = table[index].number
    delayed.insert(number)
    table[index].phase = .delayed(until: end, reason)
    outbox.announce(number, kind, .queued(reason))
    deadlines.set(end, at: index)
    return true
  }
}
