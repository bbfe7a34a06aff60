extension Scheduler {
  /// Does what has become due by now, in order of the jobs' numbers.
  mutating func meetDeadlines(at now: Instant) {
    var due: [JobNumber] = []
    while let place = deadlines.popDue(by: now) { due.append(table[place].number) }
    due.sort()
    for number in due {
      guard let place = table.place(of: number) else { continue }
      meetDeadline(place, at: now)
    }
  }

  private mutating func meetDeadline(_ place: Int, at now: Instant) {
    switch table[place].phase {
    case .inLine, .after, .awaiting, .scheduled, .launching: break
    case .delayed: endDelay(place, at: now)
    case .running, .stalled: meetRunningDeadline(place, at: now)
    case .stopping: kill(place, at: now)
    }
  }

  private mutating func meetRunningDeadline(_ place: Int, at now: Instant) {
    if let limitDue = table[place].limitDue, limitDue <= now {
      let limit = table[place].submission.options.limit?.words ?? ""
      return stop(place, StopReason(.limit, "it reached its limit of \(limit)"), at: now)
    }
    if let releaseDue = table[place].releaseDue, releaseDue <= now { releaseSlot(place) }
    if let lookDue = table[place].lookDue, lookDue <= now {
      table[place].watch.askedAt = now
      outbox.act(.sample(table[place].number))
    }
    reschedule(place)
  }
}
