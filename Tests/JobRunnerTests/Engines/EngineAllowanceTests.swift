import JobCore
import JobRunner
import Testing

/// How much an engine may tell.
struct EngineAllowanceTests {
  /// How many lines of this cost are taken at once.
  private func burst(_ cost: UInt64, attempts: Int) -> Int {
    var allowance = EngineAllowance()
    return (0..<1_000_000).prefix { _ in
      allowance.take(cost, attempts: attempts, at: Instant(nanoseconds: 5))
    }.count
  }

  @Test func `whoever tells without end is cut, sooner where it is dear and later with many jobs`()
  {
    #expect(burst(1, attempts: 0) == 4_000)
    #expect(burst(10, attempts: 0) == 400)
    // The lines about each attempt when an engine is asked for all of them.
    #expect(burst(10, attempts: 1_000) > 4 * 1_000)
    #expect(burst(1, attempts: .max) == 1_000_000)
    #expect(burst(1, attempts: -1) == 4_000)
  }

  @Test func `an engine of many jobs may tell of each of them all day`() {
    var allowance = EngineAllowance()
    for second in 0..<86_400 as Range<UInt64> {
      let now = Instant(nanoseconds: second * 1_000_000_000)
      let isAllowed = (0..<20).allSatisfy { _ in allowance.take(100, attempts: 100, at: now) }
      if !isAllowed { return #expect(isAllowed, "in second \(second)") }
    }
  }

  @Test func `what carries much of a log costs nothing`() {
    var allowance = EngineAllowance()
    for _ in 0..<1_000_000 { _ = allowance.take(0, attempts: 1, at: Instant(nanoseconds: 5)) }
    let isAllowed = allowance.take(1, attempts: 1, at: Instant(nanoseconds: 5))
    #expect(isAllowed)
  }
}
