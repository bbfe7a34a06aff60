extension Scheduler {
  /// Adds a job of an earlier runner; without an announcement, because its state did not change.
  mutating func restore(
    _ number: JobNumber, _ submission: Submission, attempt: Int, _ phase: RestoredPhase,
    _ past: PastAttempts, at now: Instant
  ) {
    guard table.index(of: number) == nil, number.isPossible else { return }
    nextNumber = max(nextNumber, JobNumber(number.value + 1))
    if case .lingering(let gpus) = phase {
      return restoreLingering(number, submission, gpus: gpus)
    }
    var submission = submission
    switch phase {
    case .queued, .delayed: break
    case .launching, .running, .paused, .stopping, .lingering: submission.isHeld = false
    }
    let terms = JobTerms(submission)
    let sameIdentifier = table.job(withIdentifierOf: terms)
    var job = Job(
      number: number, terms: terms, attempt: max(1, attempt), phase: .inLine(.slots), at: now)
    job.failures = max(0, past.failures)
    job.spent = past.spent
    job.paused = past.paused
    job.pauseMark = past.pauseMark & ~1
    job.isSimulated = past.isSimulated
    job.machine = past.machine
    // Of an attempt that has not begun, only those before it tell.
    if case .launching = phase {
      job.isBound = past.failures > 0 || past.spent > .zero
    } else {
      job.isBound = past.machine != nil
    }
    // A time to come is of another clock.
    if let since = past.runningSince { job.watch.startedAt = min(since, now) }
    job.watch.stallTimeout = max(job.watch.stallTimeout, past.stallTimeout ?? .zero)
    let index = insert(job)
    if submission.options.kind.isScheduled { requests.insert(number) }
    switch phase {
    case .queued, .lingering:
      awaitPrerequisitesOfRestored(index)
      restoreWaiting(index, sameIdentifier)
    case .delayed(let until, let reason):
      awaitPrerequisitesOfRestored(index)
      table[index].phase = .delayed(until: until, reason)
      delayed.insert(number)
    case .launching(let gpus):
      table[index].phase = .launching
      restoreActive(index, gpus: gpus, sameIdentifier)
    case .running(let gpus, let sample, let stalledSince):
      table[index].phase = stalledSince.map { .stalled(since: $0) } ?? .running
      table[index].watch.restore(sample, past)
      restoreActive(index, gpus: gpus, sameIdentifier)
      if let stalledSince {
        table[index].lease.slotUntil = stalledSince + configuration.promptKeepsSlot
      }
    case .paused(let gpus, let sample, let pause):
      restorePaused(index, pause, sample, past)
      restoreActive(index, gpus: gpus, sameIdentifier)
      conditioned.remove(number)
      if !pause.keepsSlot { releaseSlot(index) }
    case .stopping(let gpus, let reason, let deadline):
      // When it was decided is not stored; a grace that was cut short makes it seem earlier, no more.
      let decided =
        deadline.nanoseconds - min(deadline.nanoseconds, submission.options.grace.nanoseconds)
      table[index].phase = .stopping(
        Stop(
          reason: reason, deadline: deadline, decidedAt: Instant(nanoseconds: decided)))
      restoreActive(index, gpus: gpus, sameIdentifier)
    }
    if table[index].isActive || attempt > 1 { countRestored(index) }
    reschedule(index)
  }

  /// Puts a restored job in line or on the agenda, or behind the one whose identifier it has: that
  /// one runs, or waits for its next attempt.
  private mutating func restoreWaiting(_ index: Int, _ sameIdentifier: JobNumber?) {
    admissionDue = true
    guard let sameIdentifier, let other = table.index(of: sameIdentifier),
      table[other].successor == nil
    else {
      if waitForPrerequisites(index) || schedule(index) { return }
      waitSilently(index)
      return
    }
    follow(index, sameIdentifier, other)
  }

  private mutating func restoreActive(_ index: Int, gpus: [String], _ sameIdentifier: JobNumber?) {
    let number = table[index].number
    active.insert(number)
    notePace(index, at: table[index].watch.startedAt)
    if isConditioned(index) { conditioned.insert(number) }
    noteSlots(of: lane(index))
    var lease = adopt(index, gpus: gpus)
    let share = share(ofJobAt: index)
    takeSlot(share, in: lane(index), for: &lease)
    table[index].lease = lease
    guard let sameIdentifier, let other = table.index(of: sameIdentifier),
      leaveLine(other) || leaveAgenda(other) || waitsAside(other)
    else { return }
    table.prefer(sameIdentifier)
    follow(other, number, index)
  }

  /// What it holds on the machine that was chosen for it, or here.
  private mutating func adopt(_ index: Int, gpus: [String]) -> Lease {
    let (number, options) = (table[index].number, table[index].submission.options)
    guard let machine = table[index].machine else {
      return ledger.adopt(options.demandHere, gpus: gpus, by: number)
    }
    var lease: Lease
    if machine == MachineName.here {
      lease = ledger.adopt(options.requirements, gpus: gpus, by: number)
    } else {
      lease = machines[machine, default: Machine(factsKeep: configuration.factsKeep)]
        .ledger.adopt(options.requirements, gpus: gpus, by: number)
    }
    lease.machine = machine
    return lease
  }

  private func waitsAside(_ index: Int) -> Bool {
    switch table[index].phase {
    case .awaiting, .held: true
    default: false
    }
  }

  /// Makes the job at `index` wait for the end of the one at `before`.
  private mutating func follow(_ index: Int, _ predecessor: JobNumber, _ before: Int) {
    table[index].phase = .after(predecessor)
    delayed.insert(table[index].number)
    table[before].successor = table[index].number
  }
}
