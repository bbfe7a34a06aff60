extension Scheduler {
  /// Takes in a job of an earlier runner; nothing is announced, as nothing happened.
  mutating func restore(
    _ number: JobNumber, _ submission: Submission, attempt: Int, _ phase: RestoredPhase,
    _ past: PastAttempts, at now: Instant
  ) {
    guard table.place(of: number) == nil, number.isPossible else { return }
    nextNumber = max(nextNumber, JobNumber(number.value + 1))
    if case .lingering(let gpus) = phase {
      return restoreLingering(number, submission, gpus: gpus)
    }
    let terms = JobTerms(submission)
    let namesake = table.namesake(of: terms)
    var job = Job(
      number: number, terms: terms, attempt: max(1, attempt), phase: .inLine(.slots), at: now)
    job.failures = max(0, past.failures)
    job.spent = past.spent
    // A time to come is of another clock.
    if let since = past.runningSince { job.watch.startedAt = min(since, now) }
    job.watch.patience = max(job.watch.patience, past.patience ?? .zero)
    let place = table.insert(job)
    if submission.options.kind.isScheduled { requests.insert(number) }
    switch phase {
    case .queued, .lingering:
      awaitPrerequisitesOfRestored(place)
      restoreWaiting(place, namesake)
    case .delayed(let until, let reason):
      table[place].phase = .delayed(until: until, reason)
      delayed.insert(number)
    case .launching(let gpus):
      table[place].phase = .launching
      restoreActive(place, gpus: gpus, namesake)
    case .running(let gpus, let sample, let stalledSince):
      table[place].phase = stalledSince.map { .stalled(since: $0) } ?? .running
      table[place].watch.sample = sample
      restoreActive(place, gpus: gpus, namesake)
      if let stalledSince {
        table[place].lease.slotUntil = stalledSince + configuration.promptKeepsSlot
      }
    case .stopping(let gpus, let reason, let deadline):
      // When it was decided is not stored; a grace that was cut short makes it seem earlier, no more.
      let decided =
        deadline.nanoseconds - min(deadline.nanoseconds, submission.options.grace.nanoseconds)
      table[place].phase = .stopping(
        Stop(
          reason: reason, deadline: deadline, decidedAt: Instant(nanoseconds: decided)))
      restoreActive(place, gpus: gpus, namesake)
    }
    reschedule(place)
  }

  /// Puts a restored job in line or on the agenda, or behind the one whose identifier it has: that
  /// one runs, or waits for its next attempt.
  private mutating func restoreWaiting(_ place: Int, _ namesake: JobNumber?) {
    let number = table[place].number
    admissionDue = true
    guard let namesake, let other = table.place(of: namesake), table[other].successor == nil else {
      if waitForPrerequisites(place) || schedule(place) { return }
      line.insert(number, needing: table[place].terms.needs)
      return
    }
    follow(place, namesake, other)
  }

  private mutating func restoreActive(_ place: Int, gpus: [String], _ namesake: JobNumber?) {
    let number = table[place].number
    active.insert(number)
    if isConditioned(place) { conditioned.insert(number) }
    slotsTaken = nil
    table[place].lease = ledger.adopt(
      table[place].submission.options.requirements, gpus: gpus, by: number)
    guard let namesake, let other = table.place(of: namesake),
      leaveLine(other) || leaveAgenda(other) || isAwaiting(other)
    else { return }
    table.prefer(namesake)
    follow(other, number, place)
  }

  private func isAwaiting(_ place: Int) -> Bool {
    if case .awaiting = table[place].phase { true } else { false }
  }

  /// Makes the job at `place` wait for the end of the one at `before`.
  private mutating func follow(_ place: Int, _ predecessor: JobNumber, _ before: Int) {
    table[place].phase = .after(predecessor)
    delayed.insert(table[place].number)
    table[before].successor = table[place].number
  }
}
