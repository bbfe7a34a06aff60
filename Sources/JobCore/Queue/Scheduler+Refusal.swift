// Why a submission is refused.
extension Scheduler {
  /// Why jobs of this form and number are refused regardless of their other properties; nil if that check
  /// passes.
  func refusal(ofAny submission: Submission, count: Int = 1) -> Refusal? {
    if isShuttingDown {
      return Refusal(.unavailable, "the runner is stopping; submit again once it has stopped")
    }
    if let refusal = refusal(bySettings: submission) ?? refusal(byEngines: submission) {
      return refusal
    }
    if let why = impossibility(of: submission.options) {
      return Refusal(.unavailable, why)
    }
    if let refusal = refusal(byGroupsBeside: submission)
      ?? refusal(bySlotsFor: submission.options)
    {
      return refusal
    }
    guard JobNumber(nextNumber.value + UInt64(count) - 1).isPossible else {
      return Refusal(.unavailable, "no job number is left")
    }
    return nil
  }

  /// Why there can be no jobs of its group now; nil when there can.
  func refusal(byGroupsBeside submission: Submission) -> Refusal? {
    if lanes.hasRoom(for: submission.options.lane) { return nil }
    return Refusal(
      .tooManyPendingTaskRequests,
      "\(Lanes.limit) groups have jobs, which is the limit; try again once one of them has none")
  }

  /// Why a submission leaves no trace; nil when it is accepted.
  mutating func refusal(
    of submission: Submission, existing: JobNumber?, at now: Instant
  ) -> Refusal? {
    if let refusal = refusal(ofAny: submission) { return refusal }
    let index = existing.flatMap { table.index(of: $0) }
    let runs = index.map { table[$0].isActive } ?? false
    if let existing, runs, submission.options.ifExists == .refuse, !submission.followsRunning {
      return Refusal(
        .alreadyRunning,
        "job \(existing) with the identifier \(submission.identifier) is still running;"
          + " submit with --if-exists keep or replace")
    }
    if let refusal = refusalAfter(submission, replacing: existing) { return refusal }
    if let refusal = pendingRefusal(of: submission, replacing: runs ? nil : existing) {
      return refusal
    }
    if queuedCount >= configuration.queueLimit, existing == nil || runs,
      runs || submission.isHeld || lackOfPrerequisites(submission) != nil
        || bar(on: submission) != nil
        || lack(of: submission.options, before: rankOfNewcomer(submission), at: now) != nil
    {
      return Refusal(
        .tooManyPendingTaskRequests,
        "\(queuedCount) jobs are already waiting, which is the limit; submit again later")
    }
    guard submission.options.strategy == .fail else { return nil }
    return immediateRefusal(of: submission, existing: index, at: now)
  }

  /// Why a job that starts now or never cannot start now; nil when it can.
  private mutating func immediateRefusal(
    of submission: Submission, existing index: Int?, at now: Instant
  ) -> Refusal? {
    if let index, let predecessor = predecessor(ofReplacing: index) {
      return Refusal(
        .immediateRunIneligible, advised("it would have to wait for job \(predecessor) to stop"))
    }
    if let wait = lackOfPrerequisites(submission) {
      return Refusal(.immediateRunIneligible, advised(wait))
    }
    if submission.isHeld {
      return Refusal(.immediateRunIneligible, advised("it is to be held"))
    }
    if timeToWait(of: submission) != nil {
      return Refusal(.immediateRunIneligible, advised("its time has not come yet"))
    }
    if let rest = rest(before: submission, at: now) {
      return Refusal(.immediateRunIneligible, advised(rest.why))
    }
    if let bar = bar(on: submission) {
      return Refusal(.immediateRunIneligible, advised(bar.sentence))
    }
    // The queued job that it replaces is not in its way.
    let before = lines
    let wasInLine = index.map { leaveLine($0) } ?? false
    let lack = lack(
      of: submission.options, before: rankOfNewcomer(submission), at: now, agesMatter: false)
    // Restored jobs may wait to resume while a slot is free.
    let options = submission.options
    let ahead =
      firstToGoOn(in: submission.options.lane)
      ?? (wasInLine || admissionDue ? firstReady(inWayOf: submission, at: now) : nil)
    lines = before
    if let lack {
      return Refusal(
        .immediateRunIneligible,
        advised(
          lack == .slots
            ? sentence(ofSlotsFor: options) ?? currentSlotHolders(of: options.lane).sentence
            : sentence(for: lack, options.requirements, of: options.lane)))
    }
    return ahead.map { Refusal(.immediateRunIneligible, advised("job \($0) is ahead")) }
  }

  private func advised(_ why: String) -> String {
    "\(why); submit with --strategy queue to wait"
  }
}
