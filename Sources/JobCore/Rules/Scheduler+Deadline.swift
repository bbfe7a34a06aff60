extension Scheduler {
  /// Handles all deadlines due by now, in order of the jobs' numbers.
  mutating func meetDeadlines(at now: Instant) {
    endPaces(at: now)
    var due: [JobNumber] = []
    while let index = deadlines.popDue(by: now) { due.append(table[index].number) }
    due.sort()
    for number in due {
      guard let index = table.index(of: number) else { continue }
      meetDeadline(index, at: now)
    }
  }

  private mutating func meetDeadline(_ index: Int, at now: Instant) {
    switch table[index].phase {
    case .inLine, .after, .awaiting, .scheduled, .held, .launching, .away: break
    case .paused: endPause(index, at: now)
    case .delayed: endDelay(index, at: now)
    case .running, .stalled: meetRunningDeadline(index, at: now)
    case .stopping: kill(index, at: now)
    }
  }

  private mutating func meetRunningDeadline(_ index: Int, at now: Instant) {
    if let limitDue = table[index].limitDue, limitDue <= now {
      let limit = table[index].submission.options.limit?.words ?? ""
      return stop(index, StopReason(.limit, "it reached its limit of \(limit)"), at: now)
    }
    if let answerDue = table[index].answerDue, answerDue <= now {
      let span = table[index].submission.options.answerWithin?.words ?? ""
      let reason = StopReason(
        .unanswered, "nobody answered for \(span), the time set for an answer")
      return stop(index, reason, at: now)
    }
    if let releaseDue = table[index].releaseDue, releaseDue <= now { releaseSlot(index) }
    if let lookDue = table[index].lookDue, lookDue <= now {
      table[index].watch.askedAt = now
      outbox.act(.sample(table[index].number))
    }
    reschedule(index)
  }
}
