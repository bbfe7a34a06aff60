extension Scheduler {
  /// The worker runs.
  mutating func start(_ number: JobNumber, attempt: Int, at now: Instant) {
    guard let place = table.place(of: number), table[place].attempt == attempt,
      case .launching = table[place].phase
    else { return }
    table[place].phase = .running
    let sample = table[place].watch.sample
    table[place].watch = Watch(from: now, patience: table[place].submission.options.stallAfter)
    table[place].watch.sample = sample
    outbox.announce(number, .started, .running)
    reschedule(place)
  }

  /// One look at a job's page and log; verdicts on silence and stall fall only here.
  mutating func apply(_ sample: PageSample, of number: JobNumber, at now: Instant) {
    guard let place = table.place(of: number), table[place].isActive else { return }
    let wasWarned = table[place].watch.isWarned
    let logCounts = !table[place].submission.options.speaksPage
    let change = table[place].watch.apply(sample, at: now, logCounts: logCounts)
    switch table[place].phase {
    case .running: break
    case .stalled: if change.advanced { withdrawPrompt(place) }
    case .inLine, .delayed, .after, .awaiting, .scheduled, .launching, .stopping: return
    }
    if change.advanced, wasWarned { outbox.announce(number, .advanced, .running) }
    judgeSilence(place, at: now)
    judgeStall(place, at: now)
    reschedule(place)
  }

  /// Sets the job's only deadline to what is due next.
  mutating func reschedule(_ place: Int) {
    deadlines.set(table[place].nextDue, at: place)
  }
}
