extension Scheduler {
  /// Answers a submission: a duplicate, an existing job, a refusal, or a new job.
  mutating func submit(_ submission: Submission, _ tag: RequestTag, at now: Instant) {
    let terms = JobTerms(submission)
    if let duplicate = table.job(withKeyOf: terms) {
      return outbox.reply(tag, .duplicate(duplicate))
    }
    let existing = table.job(withIdentifierOf: terms)
    if let existing, submission.options.ifExists == .keep, !isShuttingDown {
      return outbox.reply(tag, .kept(existing))
    }
    if coalesce(submission, with: existing, tag) { return }
    let refusal =
      refusal(of: submission, existing: existing, at: now)
      ?? refusal(byBudgetOf: submission)
    if let refusal { return outbox.reply(tag, .refused(refusal)) }
    let number = accept(terms, replacing: existing, at: now)
    outbox.reply(tag, .accepted(number))
  }

  /// Adds a job, and puts it in line or behind the one that it replaces.
  @discardableResult
  mutating func accept(
    _ terms: JobTerms, replacing existing: JobNumber?, at now: Instant
  ) -> JobNumber {
    let submission = terms.submission
    let predecessor = existing.flatMap { makeWay($0, for: submission, at: now) }
    let number = nextNumber
    nextNumber = JobNumber(number.value + 1)
    let phase = predecessor.map { Job.Phase.after($0) } ?? .inLine(.slots)
    let index = insert(
      Job(number: number, terms: terms, attempt: 1, phase: phase, at: now))
    if submission.options.kind.isScheduled { requests.insert(number) }
    awaitPrerequisites(index)
    if let predecessor {
      delayed.insert(number)
      if let before = table.index(of: predecessor) { table[before].successor = number }
      outbox.announce(number, .submitted, state(index))
    } else if submission.options.strategy == .fail {
      enterLine(index, announcing: .submitted, Scheduler.startsNow, at: now)
      if launch(index, at: now) { countStart(index) }
    } else {
      wait(index, announcing: .submitted, at: now)
    }
    return number
  }

  /// Ends or stops the job whose identifier a new one takes; returns the job that the new one has to wait for,
  /// if any.
  ///
  /// A program's request leaves a running job alone, and follows it.
  private mutating func makeWay(
    _ existing: JobNumber, for submission: Submission, at now: Instant
  ) -> JobNumber? {
    guard let index = table.index(of: existing) else { return nil }
    let predecessor = predecessor(ofReplacing: index)
    let reason = StopReason(.superseded, "job \(nextNumber) took its place")
    if !table[index].isActive {
      end(index, .cancelled, reason, at: now)
    } else if !submission.leavesRunning {
      stop(index, reason, at: now)
    }
    return predecessor
  }

  /// The running job that a replacement of the job at `index` waits for: the job at `index`, or its own
  /// predecessor.
  func predecessor(ofReplacing index: Int) -> JobNumber? {
    if table[index].isActive { return table[index].number }
    if case .after(let predecessor) = table[index].phase { return predecessor }
    return nil
  }
}
