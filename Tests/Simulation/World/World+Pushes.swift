import JobCore

// Invariants of pushes: one per program waits, and there are pauses between them.
extension World {
  /// Called before one more is accepted.
  mutating func checkAlone(_ submission: Submission) {
    guard submission.options.kind == .push else { return }
    let isWaiting = members.values.contains { member in
      (member.stage == .inLine || member.stage == .aside) && member.submission.options.kind == .push
        && member.submission.identifier == submission.identifier
        && member.submission.notBefore == nil
    }
    if isWaiting { deny("a push is accepted, and one of \(submission.identifier) waits") }
  }

  /// A program is not woken again at once, except by a person.
  mutating func checkRest(of number: JobNumber, _ member: Member, at now: Instant) {
    let submission = member.submission
    guard submission.options.kind == .push else { return }
    if member.attempt == 0, !member.isLaunchedEarly, let last = wokenAt[submission.identifier],
      now < last + .seconds(10)
    {
      deny("push \(number) is launched, and its program was woken less than 10 s ago")
    }
    wokenAt[submission.identifier] = now
  }
}
