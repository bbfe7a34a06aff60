extension Scheduler {
  /// Asks, stops or lets go on a job that reports and does not advance.
  mutating func judgeStall(_ index: Int, at now: Instant) {
    guard case .running = table[index].phase, table[index].submission.options.onStall != .continue,
      table[index].watch.judgeStall(at: now)
    else { return }
    switch table[index].submission.options.onStall {
    case .continue: break
    case .ask: openPrompt(index, at: now)
    case .stop:
      let stallTimeout = table[index].watch.stallTimeout.words
      stop(
        index,
        StopReason(
          .stallDeclined, "it made no progress for \(stallTimeout), and was to be stopped then"),
        at: now)
    }
  }

  /// Puts the question whether the job is to continue.
  mutating func openPrompt(_ index: Int, at now: Instant) {
    let number = table[index].number
    table[index].phase = .stalled(since: now)
    table[index].watch.stallSuspectedAt = nil
    table[index].lease.slotUntil = now + configuration.promptKeepsSlot
    outbox.announce(number, .stalled, .stalled(since: now))
    outbox.announce(number, .prompt, .stalled(since: now))
    reschedule(index)
  }

  /// The job advanced by itself, so there is nothing left to ask.
  mutating func withdrawPrompt(_ index: Int) {
    table[index].phase = .running
    table[index].lease.slotUntil = nil
    outbox.announce(table[index].number, .answered, .running)
  }

  /// A person answered.
  mutating func answer(
    _ number: JobNumber, _ tag: RequestTag, continues: Bool, at now: Instant
  ) {
    guard let index = table.index(of: number) else { return outbox.reply(tag, .notLive(number)) }
    guard case .stalled = table[index].phase else { return outbox.reply(tag, .noPrompt(number)) }
    outbox.reply(tag, .done(number))
    guard continues else {
      let reason = StopReason(
        .stallDeclined, "it made no progress, and the answer was not to continue")
      return stop(index, reason, at: now)
    }
    withdrawPrompt(index)
    table[index].watch.stallTimeout = table[index].watch.stallTimeout * 2
    table[index].watch.restartPatience(at: now)
    reschedule(index)
  }

  /// Gives the slot of a job whose prompt nobody answered to the next in the queue.
  ///
  /// GPUs stay leased, as the job still has its memory on them.
  mutating func releaseSlot(_ index: Int) {
    ledger.releaseSlot(of: &table[index].lease)
    noteSlots(of: lane(index))
    admissionDue = true
  }
}
