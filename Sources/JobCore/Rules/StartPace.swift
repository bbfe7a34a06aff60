/// The last background starts of tasks: a task that submits its next request while it runs gets one early
/// start, and after that one per interval.
///
/// Keeps the last two starts of each identifier. The next start comes an interval after the last or, after two
/// intervals without a start, at once.
struct StartPace: Sendable {
  private struct Starts {
    var last: WallTime
    var before: WallTime?
  }

  private var starts: [JobIdentifier: Starts] = [:]

  mutating func noteStart(of identifier: JobIdentifier, at now: WallTime) {
    guard let known = starts[identifier] else {
      starts[identifier] = Starts(last: now)
      return
    }
    // Starts of earlier runners arrive in the order of their ends.
    starts[identifier] = Starts(
      last: max(known.last, now), before: max(min(known.last, now), known.before ?? .distantPast))
  }

  /// Until when an identifier waits; nil when it may start.
  func end(of identifier: JobIdentifier, _ interval: Interval, at now: WallTime) -> WallTime? {
    guard let known = starts[identifier], let before = known.before else { return nil }
    let end = min(min(known.last, now) + interval, min(before, now) + interval * 2)
    return end > now ? end : nil
  }

  mutating func forget(before now: WallTime, _ interval: Interval?) {
    guard let interval else { return }
    starts = starts.filter { $0.value.last + interval * 2 > now }
  }
}

extension WallTime {
  fileprivate static let distantPast = WallTime(milliseconds: .min)
}
