extension Scheduler {
  /// The worker runs.
  mutating func start(_ number: JobNumber, attempt: Int, at now: Instant) {
    guard let index = table.index(of: number), table[index].attempt == attempt,
      !table[index].hasBegun, table[index].isActive
    else { return }
    table[index].phase = .running
    let sample = table[index].watch.sample
    table[index].watch = Watch(from: now, stallTimeout: table[index].submission.options.stallAfter)
    table[index].watch.sample = sample
    outbox.announce(number, .started, .running)
    reschedule(index)
  }

  /// The worker's own part of the attempt is over.
  mutating func finishWork(of number: JobNumber, attempt: Int) {
    guard let index = table.index(of: number), table[index].attempt == attempt,
      !table[index].watch.hasWorked
    else { return }
    switch table[index].phase {
    case .running: break
    case .stalled: withdrawPrompt(index)
    case .inLine, .delayed, .after, .awaiting, .scheduled, .held, .launching, .away, .paused,
      .stopping:
      return
    }
    table[index].watch.hasWorked = true
    outbox.announce(number, .advanced, .running)
    reschedule(index)
  }

  /// Applies a sample of a job's page and log; verdicts on silence and stall are made only here.
  mutating func apply(
    _ sample: PageSample, of number: JobNumber, _ ages: SampleAges?, at now: Instant
  ) {
    guard let index = table.index(of: number), table[index].isActive else { return }
    let wasWarned = table[index].watch.isWarned
    let logCounts = !table[index].submission.options.speaksPage
    // Activity that is only visible now happened before the pause.
    let seenAt = table[index].pause?.since ?? now
    let change = table[index].watch.apply(sample, ages, at: seenAt, logCounts: logCounts)
    if table[index].watch.hasWorked { return reschedule(index) }
    switch table[index].phase {
    case .running: break
    case .stalled: if isAnswered(by: change, index, at: now) { withdrawPrompt(index) }
    case .inLine, .delayed, .after, .awaiting, .scheduled, .held, .launching, .away, .paused,
      .stopping:
      return
    }
    if change.advanced, wasWarned { outbox.announce(number, .advanced, .running) }
    judgeSilence(index, at: now)
    judgeStall(index, at: now)
    judgeTexts(index, at: now)
    judgePace(index, at: now)
    reschedule(index)
  }

  /// Sets the job's only deadline to the next one due.
  mutating func reschedule(_ index: Int) {
    deadlines.set(table[index].nextDue, at: index)
  }
}
