extension Scheduler {
  /// Asks, stops or lets go on a job that reports and does not advance.
  mutating func judgeStall(_ place: Int, at now: Instant) {
    guard case .running = table[place].phase, table[place].submission.options.onStall != .continue,
      table[place].watch.judgeStall(at: now)
    else { return }
    switch table[place].submission.options.onStall {
    case .continue: break
    case .ask: openPrompt(place, at: now)
    case .stop:
      let patience = table[place].watch.patience.words
      stop(
        place,
        StopReason(
          .stallDeclined, "it made no progress for \(patience), and was to be stopped then"),
        at: now)
    }
  }

  /// Puts the question whether the job is to continue.
  mutating func openPrompt(_ place: Int, at now: Instant) {
    let number = table[place].number
    table[place].phase = .stalled(since: now)
    table[place].watch.stallSuspectedAt = nil
    table[place].lease.slotUntil = now + configuration.promptKeepsSlot
    outbox.announce(number, .stalled, .stalled(since: now))
    outbox.announce(number, .prompt, .stalled(since: now))
    reschedule(place)
  }

  /// The job advanced by itself: nothing is to be asked any more.
  mutating func withdrawPrompt(_ place: Int) {
    table[place].phase = .running
    table[place].lease.slotUntil = nil
    outbox.announce(table[place].number, .answered, .running)
  }

  /// A person answered.
  mutating func answer(
    _ number: JobNumber, _ tag: RequestTag, continues: Bool, at now: Instant
  ) {
    guard let place = table.place(of: number) else { return outbox.reply(tag, .notLive(number)) }
    guard case .stalled = table[place].phase else { return outbox.reply(tag, .noPrompt(number)) }
    outbox.reply(tag, .done(number))
    guard continues else {
      let reason = StopReason(
        .stallDeclined, "it made no progress, and the answer was not to continue")
      return stop(place, reason, at: now)
    }
    withdrawPrompt(place)
    table[place].watch.patience = table[place].watch.patience * 2
    table[place].watch.restartPatience(at: now)
    reschedule(place)
  }

  /// Gives the slot of a job whose prompt nobody answered to the next in the queue.
  ///
  /// GPUs stay leased, as the job still has its memory on them.
  mutating func releaseSlot(_ place: Int) {
    ledger.releaseSlot(of: &table[place].lease)
    slotsTaken = nil
    admissionDue = true
  }
}
