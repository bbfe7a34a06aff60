extension Scheduler {
  /// Tells an active job to stop; a stopping job is left as it is.
  mutating func stop(
    _ index: Int, _ reason: StopReason, grace: Interval? = nil, at now: Instant
  ) {
    if case .stopping = table[index].phase { return }
    let number = table[index].number
    let deadline = now + (grace ?? table[index].submission.options.grace)
    let wasPaused = leavePause(index, at: now)
    table[index].phase = .stopping(Stop(reason: reason, deadline: deadline, decidedAt: now))
    table[index].lease.slotUntil = nil
    conditioned.remove(number)
    outbox.announce(number, .stopping, .stopping(reason, deadline: deadline))
    outbox.act(.stop(number, reason, deadline: deadline))
    // So that it can end itself while its grace lasts.
    if wasPaused { outbox.act(.resume(number, mark: table[index].pauseMark)) }
    reschedule(index)
  }

  /// Kills the tree of a stopping job whose grace is over, and again later should that not help.
  mutating func kill(_ index: Int, at now: Instant) {
    guard case .stopping(var stop) = table[index].phase else { return }
    stop.countKill(at: now)
    table[index].phase = .stopping(stop)
    outbox.act(.kill(table[index].number))
    reschedule(index)
  }

  /// A person stops a job.
  mutating func cancel(
    _ number: JobNumber, _ tag: RequestTag, because reason: StopReason = .requested, isNow: Bool,
    at now: Instant
  ) {
    guard let index = table.index(of: number) else { return outbox.reply(tag, .notLive(number)) }
    guard cancel(index, because: reason, isNow: isNow, at: now) else {
      return outbox.reply(tag, .alreadyStopping(number))
    }
    outbox.reply(tag, .done(number))
  }

  /// A person stops all live jobs, or some.
  mutating func cancelAll(
    _ tag: RequestTag, because reason: StopReason, isNow: Bool, in some: JobSelection?,
    at now: Instant
  ) {
    let numbers = liveNumbers.filter { isMeant($0, by: some) }
    cancel(numbers, because: reason, isNow: isNow, at: now)
    outbox.reply(tag, .cancelledAll(numbers))
  }

  /// Waiting jobs end before running ones are stopped, so that none starts in a freed slot; the newest ends
  /// first, so that no job is refused because its prerequisite was cancelled.
  mutating func cancel(
    _ numbers: [JobNumber], because reason: StopReason, isNow: Bool = false, at now: Instant
  ) {
    let running = active
    for number in numbers.reversed() where !running.contains(number) {
      if let index = table.index(of: number) {
        _ = cancel(index, because: reason, isNow: isNow, at: now)
      }
    }
    for number in numbers where running.contains(number) {
      if let index = table.index(of: number) {
        _ = cancel(index, because: reason, isNow: isNow, at: now)
      }
    }
  }

  /// Ends or stops a job on request; false when it is stopping already.
  private mutating func cancel(
    _ index: Int, because reason: StopReason, isNow: Bool, at now: Instant
  ) -> Bool {
    switch table[index].phase {
    case .inLine, .delayed, .after, .awaiting, .scheduled, .held:
      end(index, .cancelled, reason, at: now)
    case .launching, .away, .running, .stalled, .paused:
      stop(index, reason, grace: isNow ? .zero : nil, at: now)
      if isNow { kill(index, at: now) }
    case .stopping(let stop):
      guard isNow, stop.kills == 0 else { return false }
      hasten(index, stop, at: now)
    }
    return true
  }

  /// A program withdraws a request; a started one no longer is a request.
  mutating func withdraw(_ number: JobNumber, _ tag: RequestTag, at now: Instant) {
    guard let index = table.index(of: number), !table[index].isActive else {
      return outbox.reply(tag, .notLive(number))
    }
    cancel(number, tag, isNow: false, at: now)
  }

  /// Ends the grace of a stopping job at once.
  private mutating func hasten(_ index: Int, _ stop: Stop, at now: Instant) {
    var stop = stop
    stop.deadline = now
    table[index].phase = .stopping(stop)
    outbox.announce(
      table[index].number, .stopping, .stopping(stop.reason, deadline: stop.deadline))
    kill(index, at: now)
  }

  /// Shuts the runner down: running jobs are stopped, new ones refused, and waiting jobs stay queued.
  ///
  /// The next runner restores them; of a discarded queue it restores only scheduled jobs.
  mutating func shutDown(discardsQueue: Bool, at now: Instant) {
    isShuttingDown = true
    let reason = StopReason(.runnerStop, "the runner was stopped")
    for number in liveNumbers {
      guard let index = table.index(of: number) else { continue }
      if table[index].isActive {
        stop(index, reason, at: now)
      } else if discardsQueue, !table[index].submission.isScheduled {
        end(index, .interrupted, reason, at: now)
      }
    }
  }

  /// Causes an event that is otherwise a matter of time.
  mutating func simulate(
    _ simulation: Simulation, _ number: JobNumber, _ tag: RequestTag, at now: Instant
  ) {
    guard let index = table.index(of: number) else { return outbox.reply(tag, .notLive(number)) }
    // On its own, and not within the tuple: there Swift 6.3.1 reads it, unoptimised, out of memory that
    // it has freed (the address sanitizer shows it).
    let phase = table[index].phase
    switch (phase, simulation) {
    case (_, .launch): return launchEarly(index, tag, at: now)
    case (.running, .stall): openPrompt(index, at: now)
    case (.stalled, .stall): break
    case (.running, .expire), (.stalled, .expire):
      table[index].isSimulated = true
      expireAsSimulated(index, at: now)
    case (.stopping, _): return outbox.reply(tag, .alreadyStopping(number))
    case (.paused, _):
      let refusal = Refusal(.unavailable, "job \(number) is paused; its clocks stand still")
      return outbox.reply(tag, .refused(refusal))
    case (.inLine, _), (.delayed, _), (.after, _), (.awaiting, _), (.scheduled, _), (.held, _),
      (.launching, _), (.away, _):
      let refusal = Refusal(
        .unavailable,
        "job \(number) is not running yet; only a running job can stall or fall silent")
      return outbox.reply(tag, .refused(refusal))
    }
    outbox.reply(tag, .done(number))
  }
}
