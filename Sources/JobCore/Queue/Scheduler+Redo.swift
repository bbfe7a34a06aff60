extension Scheduler {
  /// A person wants another attempt of an ended job.
  ///
  /// It is queued under its old number; its failures, its time and its question are reset, because the person
  /// has seen how it ended. It is held if `submission` is.
  mutating func redo(
    _ number: JobNumber, _ submission: Submission, attempt: Int, isForced: Bool,
    _ tag: RequestTag, at now: Instant
  ) {
    var submission = submission
    submission.seat = nil
    let terms = JobTerms(submission)
    let dependency = isForced ? nil : refusalToRedo(submission, of: number)
    if let refusal = refusal(ofRedoing: number, terms) ?? dependency {
      return outbox.reply(tag, .refused(refusal))
    }
    nextNumber = max(nextNumber, JobNumber(number.value + 1))
    let index = insert(
      Job(
        number: number, terms: terms, attempt: max(1, attempt), phase: .inLine(.slots), at: now))
    if submission.options.kind.isScheduled { requests.insert(number) }
    if !isForced { awaitPrerequisites(index) }
    wait(index, announcing: .queued, at: now)
    outbox.reply(tag, .done(number))
  }

  private func refusal(ofRedoing number: JobNumber, _ terms: JobTerms) -> Refusal? {
    let submission = terms.submission
    if isShuttingDown {
      return Refusal(.unavailable, "the runner is stopping; try again once it has stopped")
    }
    guard table.index(of: number) == nil, table.job(withKeyOf: terms) == nil,
      lingering[number] == nil, number.isPossible
    else { return Refusal(.alreadyRunning, "job \(number) has not ended") }
    if let existing = table.job(withIdentifierOf: terms) {
      return Refusal(
        .alreadyRunning,
        "job \(existing) has the identifier \(submission.identifier) and has not ended;"
          + " wait for its end or cancel it")
    }
    if let refusal = refusal(bySettings: submission) ?? refusal(byGroupsBeside: submission)
      ?? refusal(byEngines: submission)
    {
      return refusal
    }
    if let why = impossibility(of: submission.options) {
      return Refusal(.unavailable, why)
    }
    if let refusal = pendingRefusal(of: submission, replacing: nil) { return refusal }
    guard queuedCount >= configuration.queueLimit else { return nil }
    return Refusal(
      .tooManyPendingTaskRequests,
      "\(queuedCount) jobs are already waiting, which is the limit; try again later")
  }
}
