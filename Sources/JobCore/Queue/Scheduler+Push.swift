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
    guard submission.options.kind == .push, !submission.isHeld,
      let end = pushRests.end(of: submission.identifier, at: now)
    else { return false }
    let reason = PendingReason(
      .notBefore, "pushes wake it once in \(PushRests.length.words), with the newest of them")
    let number = table[index].number
    delayed.insert(number)
    table[index].phase = .delayed(until: end, reason)
    outbox.announce(number, kind, .queued(reason))
    deadlines.set(end, at: index)
    return true
  }
}
