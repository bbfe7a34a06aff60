import JobCore

extension World {
  mutating func take(_ settings: [JobIdentifier: BundleSettings]) {
    self.settings = settings
    if !settings.isEmpty { hasBars = true }
  }

  /// Jobs that the settings forbid are not launched, not even early.
  mutating func checkSettings(of number: JobNumber, _ member: Member) {
    if isBarred(member.submission) {
      deny("job \(number) is launched, and the settings do not allow it")
    }
    if !member.isLaunchedEarly, isPutOff(member.submission) {
      deny("job \(number) is launched, and could have waited for a better moment")
    }
    if !member.isLaunchedEarly, hasAllItsSlots(member.submission, but: number) {
      deny("job \(number) is launched, and its bundle has all the slots that it may have")
    }
  }

  mutating func take(saving why: String?) {
    isSaving = why != nil
    if isSaving { hasBars = true }
  }

  mutating func take(pressure: String?, presence: String?) {
    (isPressed, isAttended) = (pressure != nil, presence != nil)
    if isPressed || isAttended { hasBars = true }
  }

  func isPutOff(_ submission: Submission) -> Bool {
    (isSaving || isPressed) && submission.options.kind != .continued
      || isAttended && submission.options.requirements.whenIdle
  }

  func isBarred(_ submission: Submission) -> Bool {
    guard let settings = submission.bundle.flatMap({ settings[$0] }) else { return false }
    // Resources on an engine are not this machine's.
    let demand = submission.options.demandHere
    return settings.background == false && submission.options.kind != .continued
      || settings.gpu == false && demand.gpuCount > 0
      || settings.network == false && demand.network
  }

  /// Whether the bundle of a job has as many slots as it may, `number` itself aside.
  func hasAllItsSlots(_ submission: Submission, but number: JobNumber) -> Bool {
    isFull(submission, but: number) { !$0.mayLackSlot }
  }

  /// The same where those that may lack their slot have it.
  func mayHaveAllItsSlots(_ submission: Submission, but number: JobNumber) -> Bool {
    isFull(submission, but: number) { _ in true }
  }

  private func isFull(
    _ submission: Submission, but number: JobNumber, _ hasSlot: (Member) -> Bool
  ) -> Bool {
    guard let most = submission.bundle.flatMap({ settings[$0]?.slots }) else { return false }
    let used = members.count { other, member in
      if case .active = member.stage {
        other != number && member.submission.bundle == submission.bundle && hasSlot(member)
      } else {
        false
      }
    }
    return used >= most
  }
}
