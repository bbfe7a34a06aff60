/// When tasks were started last at moments that the runner picks: a task that asks for its next turn while it
/// runs has that soon once, and then again and again after a pause.
///
/// Of each identifier the last two starts are known. The next one comes an interval after the last or, of one that
/// was left alone for two intervals, at once.
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
    // What earlier runners have started comes in the order of its ends.
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
