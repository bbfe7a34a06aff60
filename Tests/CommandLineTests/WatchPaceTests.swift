import JobCore
import JobWire
import Testing

@testable import jobrun

@Suite struct WatchPaceTests {
  private static let second: UInt64 = 1_000_000_000

  private func interval(
    _ style: WatchDisplay.Style, _ state: JobStatus.State, rest: UInt64 = 0,
    _ change: (inout WatchPace) -> Void = { _ in }
  ) -> UInt64? {
    var pace = WatchPace(style: style, state: state, rest: rest)
    change(&pace)
    return pace.interval
  }

  @Test(arguments: [WatchDisplay.Style.live, .sparse, .json, .none])
  func `who waits in the queue has nothing to look at`(style: WatchDisplay.Style) {
    #expect(interval(style, .queued) == nil)
    #expect(interval(style, .ended) == nil)
  }

  @Test func `a terminal looks often enough for a report to be seen within 150 ms`() {
    for rest in [0, 1, 3, 59].map({ $0 * Self.second }) {
      for state in [JobStatus.State.launching, .running, .stalled, .stopping] {
        #expect(interval(.live, state, rest: rest).map { $0 <= 145_000_000 } ?? false)
      }
    }
  }

  @Test func `the longer nothing moves, the less often it is looked at`() {
    for style in [WatchDisplay.Style.live, .json, .sparse] {
      let pauses = [0, 61].map { interval(style, .running, rest: $0 * Self.second) ?? 0 }
      #expect(pauses[0] > 0 && pauses[0] < pauses[1], "\(style): \(pauses)")
    }
  }

  @Test func `nobody is looked after closely who sees no line move`() {
    #expect(interval(.none, .running) == nil)
    #expect(interval(.sparse, .running) == Self.second)
    #expect(interval(.live, .running) { $0.isInBackground = true } == Self.second)
    #expect(interval(.live, .queued) { $0.isInBackground = true } == Self.second)
  }

  @Test func `a lost runner, a log and a stuck terminal are looked at in the queue, too`() {
    #expect(interval(.live, .queued) { $0.isLost = true } == WatchPace.frame)
    #expect(interval(.none, .queued) { $0.followsLog = true } == WatchPace.frame)
    #expect(interval(.live, .queued) { $0.isBehind = true } == WatchPace.frame)
  }

  @Test func `a line is drawn anew when one of its clocks moves on`() {
    var model = JobViewModel(Sample.job(.running))
    model.elapsed = .milliseconds(1_999)
    let before = model.clocks
    model.elapsed = .milliseconds(1_001)
    #expect(model.clocks == before)
    model.elapsed = .milliseconds(2_000)
    #expect(model.clocks != before)
    model.elapsed = .milliseconds(1_500)
    model.unchanged = .milliseconds(5_500)
    #expect(model.clocks != before)
    model.unchanged = nil
    model.grace = .milliseconds(9_001)
    let counting = model.clocks
    model.grace = .milliseconds(9_999)
    #expect(model.clocks == counting)
    model.grace = .milliseconds(9_000)
    #expect(model.clocks != counting)
  }
}
