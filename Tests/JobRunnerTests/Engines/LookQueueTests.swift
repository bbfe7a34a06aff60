import JobCore
import JobRunner
import JobWire
import Testing

/// Looks at what runs elsewhere.
struct LookQueueTests {
  private func attempt(_ number: UInt64) -> EngineAttempt { EngineAttempt(JobNumber(number), 1) }

  private func at(_ milliseconds: UInt64) -> Instant {
    Instant(nanoseconds: milliseconds * 1_000_000)
  }

  @Test func `nine hundred that are wanted ten times a second are asked for fifty times a second`()
  {
    var queue = LookQueue()
    var asked: [EngineAttempt: Int] = [:]
    for tick in 0..<1_000 as Range<UInt64> {
      let now = at(tick * 10)
      if tick % 10 == 0 {
        for number in 1...900 as ClosedRange<UInt64> { queue.want(attempt(number), at: now) }
      }
      while let next = queue.next(at: now) {
        asked[next, default: 0] += 1
        queue.answered(next)
      }
    }
    #expect(asked.values.reduce(0, +) == 500)
    // In their turn: nobody twice before all others.
    #expect(asked.count == 500)
  }

  @Test func `one that is watched is asked for once a second, however many want it`() {
    var queue = LookQueue()
    var count = 0
    for tick in 0..<100 as Range<UInt64> {
      queue.want(attempt(1), at: at(tick * 100))
      queue.want(attempt(1), at: at(tick * 100))
      while let next = queue.next(at: at(tick * 100)) {
        count += 1
        queue.answered(next)
      }
    }
    #expect(count == 10)
  }

  @Test func `few are under way, and one that is never answered makes room for others`() {
    var queue = LookQueue()
    for number in 1...40 as ClosedRange<UInt64> { queue.want(attempt(number), at: at(0)) }
    var count = 0
    for tick in 0..<200 as Range<UInt64> where queue.next(at: at(tick * 20)) != nil { count += 1 }
    #expect(count == 16)
    #expect(queue.due == at(5_000))
    let next = queue.next(at: at(5_000))
    #expect(next == attempt(17))
  }

  @Test func `what is over is not looked at, and nothing is due when nobody wants anything`() {
    var queue = LookQueue()
    #expect(queue.due == nil)
    queue.want(attempt(1), at: at(0))
    queue.want(attempt(2), at: at(0))
    queue.leave(attempt(1))
    let second = queue.next(at: at(0))
    #expect(second == attempt(2))
    queue.leave(attempt(2))
    let none = queue.next(at: at(100))
    #expect(none == nil)
    #expect(queue.due == nil)
  }
}
