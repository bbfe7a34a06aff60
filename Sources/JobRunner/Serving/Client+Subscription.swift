import JobCore

// A client's subscriptions, and the times of its updates.
extension Client {
  /// The interval of progress for a view of many jobs.
  private static let viewInterval = Interval.milliseconds(500)

  var listens: Bool {
    if case .none = subscription { return false }
    return true
  }

  /// Whether the client listens to everything.
  var readsFeed: Bool {
    if case .feed = subscription { return true }
    return false
  }

  /// Whether the client listens to this job, of this group.
  func hears(_ number: JobNumber, of group: @autoclosure () -> GroupName?) -> Bool {
    switch subscription {
    case .none: false
    case .feed: true
    case .jobs(let numbers, _): numbers.contains(number)
    case .many(let some): some.contains(number, of: group())
    }
  }

  /// When progress is due after `now`: at the same instants for all readers with the same interval, so that a
  /// thousand of them need one sample.
  func nextProgress(after now: Instant) -> Instant? {
    let interval: Interval
    switch subscription {
    case .none, .jobs(_, attached: false), .feed(progressEvery: nil): return nil
    case .feed(progressEvery: let wanted?): interval = wanted
    case .many: interval = Self.viewInterval
    case .jobs(_, attached: true):
      interval = ProgressPace.observation(still: now - lastProgress)
    }
    guard interval > .zero else { return nil }
    let count = now.nanoseconds / interval.nanoseconds + 1
    return Instant(nanoseconds: 0) + interval * count
  }
}
