extension Scheduler {
  /// Asks about, stops or continues a job that does not advance.
  mutating func judgeStall(_ index: Int, at now: Instant) {
    let options = table[index].submission.options
    // A person asked for this of a command that may be silent.
    let silenceCounts = options.silentAfter == nil && options.observation.canStall
    guard case .running = table[index].phase, options.onStall != .continue,
      table[index].watch.judgeStall(silenceCounts: silenceCounts, at: now)
    else { return }
    switch options.onStall {
    case .continue: break
    case .ask: openPrompt(index, at: now)
    case .stop:
      let stallTimeout = table[index].watch.stallTimeout.words
      stop(
        index,
        StopReason(
          .stallDeclined,
          "it made no progress for \(stallTimeout), and was set to stop in that case"),
        at: now)
    }
  }

  /// Asks about a job that reports texts without counting, or stops it.
  mutating func judgeTexts(_ index: Int, at now: Instant) {
    let options = table[index].submission.options
    guard case .running = table[index].phase, options.onStall != .continue,
      let span = table[index].watch.judgeTexts(silentAfter: options.silentAfter, at: now)
    else { return }
    let message = "has reported only texts and no progress for \(span.words)"
    guard options.onStall == .ask else {
      return stop(
        index, StopReason(.stallDeclined, "it \(message), and was set to stop in that case"),
        at: now)
    }
    openPrompt(index, Question(.texts, message), at: now)
  }

  /// Asks about a job that takes far longer than expected.
  mutating func judgePace(_ index: Int, at now: Instant) {
    let options = table[index].submission.options
    guard options.onStall == .ask, options.onSlow == .ask, table[index].watch.sample.total > 0,
      case .running = table[index].phase, table[index].watch.quietUntil <= now
    else { return }
    let watch = table[index].watch
    table[index].watch.pace.update(watch.sample, from: watch.startedAt, at: now)
    guard table[index].watch.pace.judge(at: now) else { return }
    let pace = table[index].watch.pace
    let (takes, expected) = (pace.estimate ?? .zero, pace.reference ?? .zero)
    let message =
      "has become slow: it is expected to take \(takes.words) in all, and \(expected.words) were expected"
    openPrompt(index, Question(.slow, message), at: now)
  }

  /// How long earlier runs of the same definition took.
  mutating func expect(_ usual: Interval, of number: JobNumber) {
    guard let index = table.index(of: number), table[index].hasBegun else { return }
    table[index].watch.pace.usual = usual
  }

  /// Whether a sample makes the open question moot.
  mutating func isAnswered(by change: Watch.Change, _ index: Int, at now: Instant) -> Bool {
    switch table[index].watch.question?.code {
    case nil: return change.advanced
    case .texts: return change.counted
    case .slow:
      let watch = table[index].watch
      table[index].watch.pace.update(watch.sample, from: watch.startedAt, at: now)
      return !table[index].watch.pace.isSlow
    }
  }

  /// Asks whether the job should continue.
  mutating func openPrompt(_ index: Int, _ question: Question? = nil, at now: Instant) {
    let number = table[index].number
    table[index].phase = .stalled(since: now)
    table[index].watch.question = question
    table[index].watch.stallSuspectedAt = nil
    table[index].lease.slotUntil = now + configuration.promptKeepsSlot
    outbox.announce(number, .stalled, .stalled(since: now))
    outbox.announce(number, .prompt, .stalled(since: now))
    reschedule(index)
  }

  /// Closes the prompt of a job that advanced by itself.
  mutating func withdrawPrompt(_ index: Int) {
    table[index].phase = .running
    table[index].watch.question = nil
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
    let question = table[index].watch.question
    guard continues else {
      let what = question?.message ?? "made no progress"
      return stop(
        index, StopReason(.stallDeclined, "it \(what), and the answer was not to continue"),
        at: now)
    }
    withdrawPrompt(index)
    switch question?.code {
    case nil: table[index].watch.stallTimeout = table[index].watch.stallTimeout * 2
    case .texts: table[index].watch.countedAt = now
    case .slow: table[index].watch.pace.accept()
    }
    table[index].watch.restartTimeout(at: now)
    reschedule(index)
  }

  /// Gives the slot of a job with an unanswered prompt to the next in the queue.
  ///
  /// GPUs stay leased, because the job still has its memory on them.
  mutating func releaseSlot(_ index: Int) {
    lanes.releaseSlot(of: &table[index].lease)
    noteSlots(of: lane(index))
    admissionDue = true
  }
}
