import JobCore
import Testing

@Suite struct ProgressEstimatorTests {
  /// An estimator that saw `rate` units a second for `seconds`, looking every `apart`.
  private func fed(rate: Double, seconds: Double, apart: Double = 0.1) -> ProgressEstimator {
    var estimator = ProgressEstimator()
    var time = 0.0
    while time <= seconds {
      estimator.update(completed: UInt64(rate * time), at: at(time))
      time += apart
    }
    return estimator
  }

  private func at(_ seconds: Double) -> Instant {
    Instant(nanoseconds: UInt64(seconds * 1e9) + 5_000_000_000)
  }

  @Test func `nothing is said before three quarters of a second and two advances`() {
    #expect(fed(rate: 1000, seconds: 0.7).rate(at: at(0.7)) == nil)
    #expect(fed(rate: 1000, seconds: 0.9).rate(at: at(0.9)) != nil)
    var one = ProgressEstimator()
    one.update(completed: 0, at: at(0))
    one.update(completed: 10, at: at(5))
    #expect(one.rate(at: at(5)) == nil)
    #expect(ProgressEstimator().remaining(total: 10, at: at(1)) == nil)
  }

  @Test(arguments: [0.01, 0.1, 1.0, 2.5])
  func `a steady rate is found, however often one looks`(apart: Double) throws {
    let estimator = fed(rate: 1000, seconds: 60, apart: apart)
    let rate = try #require(estimator.rate(at: at(60)))
    #expect(abs(rate - 1000) < 50, "\(rate)")
    let remaining = try #require(estimator.remaining(total: 120_000, at: at(60)))
    #expect(abs(Double(remaining.milliseconds) / 1000 - 60) < 4, "\(remaining.words)")
  }

  @Test func `a change of pace shows within a few seconds`() throws {
    var estimator = fed(rate: 1000, seconds: 20)
    var time = 20.0
    while time < 40 {
      time += 0.1
      estimator.update(completed: 20_000 + UInt64((time - 20) * 100), at: at(time))
    }
    let rate = try #require(estimator.rate(at: at(40)))
    #expect(rate > 100 && rate < 400, "\(rate)")
  }

  @Test func `a job that stands still slows down, and then has no end in sight`() throws {
    var estimator = fed(rate: 1000, seconds: 20)
    let before = try #require(estimator.rate(at: at(20)))
    let later = try #require(estimator.rate(at: at(26)))
    #expect(later < before * 0.75)
    #expect(estimator.remaining(total: 100_000, at: at(26)) != nil)
    for second in 21...40 { estimator.update(completed: 20_000, at: at(Double(second))) }
    #expect(estimator.isStalled(at: at(40)))
    #expect(estimator.remaining(total: 100_000, at: at(40)) == nil)
    estimator.update(completed: 21_000, at: at(41))
    #expect(estimator.remaining(total: 100_000, at: at(41)) != nil)
  }

  @Test func `a count that shrinks a little begins anew, and all done leaves nothing`() throws {
    var estimator = fed(rate: 1000, seconds: 20)
    #expect(estimator.remaining(total: 10, at: at(20)) == .zero)
    estimator.update(completed: 19_000, at: at(21))
    #expect(estimator.rate(at: at(21)) == nil)
    for second in 22...30 {
      estimator.update(completed: 19_000 + UInt64(second - 21) * 100, at: at(Double(second)))
    }
    #expect(estimator.remaining(total: 20_900, at: at(30)) == .seconds(10))
  }

  @Test func `a run that starts again gives no time left, and still a rate`() {
    var estimator = ProgressEstimator()
    for round in 0..<3 {
      for step in 0...9 {
        let now = at(Double(round * 10 + step))
        estimator.update(completed: UInt64(step * 10), at: now)
        #expect((estimator.remaining(total: 100, at: now) == nil) == (round > 0 || step < 2))
      }
      #expect(estimator.hasRestarted == (round > 0))
      #expect(estimator.rate(at: at(Double(round * 10 + 9))) != nil)
      #expect(
        estimator.remaining(
          total: 100, at: at(Double(round * 10 + 9)), expected: .seconds(100), elapsed: .seconds(9))
          == nil || round == 0)
    }
  }

  @Test func `absurd counts make no estimate and no trap`() {
    var estimator = ProgressEstimator()
    estimator.update(completed: 0, at: at(0))
    estimator.update(completed: 1, at: at(1))
    estimator.update(completed: 2, at: at(4))
    #expect(estimator.remaining(total: .max, at: at(4)) == nil)
    estimator.update(completed: .max, at: at(5))
    #expect(estimator.remaining(total: .max, at: at(5)) == .zero)
    estimator.update(completed: 3, at: Instant(nanoseconds: 0))
    #expect(estimator.rate(at: Instant(nanoseconds: .max)) == nil)
  }

  @Test func `it is known when the count changed last, and how often it does`() {
    var estimator = ProgressEstimator()
    #expect(estimator.changedAt == nil && estimator.interval == nil)
    for second in 0...30 { estimator.update(completed: UInt64(second / 5), at: at(Double(second))) }
    #expect(estimator.changedAt == at(30))
    #expect(estimator.interval == .seconds(5))
  }

  @Test(arguments: [(30, true), (0, false)] as [(UInt64, Bool)])
  func `what was begun before the first look stands still since then`(begun: UInt64, isKnown: Bool)
  {
    var estimator = ProgressEstimator()
    estimator.update(completed: begun, at: at(1))
    #expect(estimator.changedAt == (isKnown ? at(1) : nil))
  }

  @Test func `nothing is said of a pause before twice the usual, or five seconds`() {
    #expect(ProgressPause.length(.seconds(5), interval: .seconds(1)) == nil)
    #expect(ProgressPause.length(.seconds(6), interval: .seconds(1)) == .seconds(6))
    #expect(ProgressPause.length(.seconds(30), interval: .seconds(15)) == nil)
    #expect(ProgressPause.length(.seconds(31), interval: .seconds(15)) == .seconds(31))
    #expect(ProgressPause.length(.seconds(6), interval: nil) == .seconds(6))
  }
}

/// Slow and regular work, by the step.
@Suite struct StepEstimateTests {
  private func at(_ seconds: Double) -> Instant {
    Instant(nanoseconds: UInt64((seconds * 1000).rounded()) * 1_000_000 + 5_000_000_000)
  }

  /// The estimate `age` seconds into the step that follows `steps` of `length` seconds.
  private func left(
    _ steps: Int, of total: UInt64, length: Double, age: Double = 0, apart: Double = 0.5
  ) -> Double? {
    var estimator = ProgressEstimator()
    let end = Double(steps) * length + age
    for look in 0...Int(end / apart) {
      let second = Double(look) * apart
      estimator.update(completed: min(UInt64(second / length), UInt64(steps)), at: at(second))
    }
    return estimator.remaining(total: total, at: at(end)).map { Double($0.nanoseconds) / 1e9 }
  }

  private func expectLeft(
    _ truth: Double, after steps: Int, of total: UInt64, length: Double
  ) throws {
    let found = try #require(left(steps, of: total, length: length))
    #expect(abs(found - truth) < truth / 100, "\(found)")
  }

  @Test func `15 s a step at 4 of 8 leaves a minute`() throws {
    try expectLeft(60, after: 4, of: 8, length: 15)
  }

  @Test func `30 s a step at 4 of 6 leaves a minute`() throws {
    try expectLeft(60, after: 4, of: 6, length: 30)
  }

  @Test func `60 s a step at 4 of 8 leaves four minutes`() throws {
    try expectLeft(240, after: 4, of: 8, length: 60)
  }

  @Test func `the first figure comes with the second step`() throws {
    #expect(left(1, of: 8, length: 15, age: 14.5) == nil)
    #expect(try abs(#require(left(2, of: 8, length: 15)) - 90) < 1)
  }

  @Test func `as long as a step is not late, the time left only falls`() throws {
    var before = try #require(left(4, of: 8, length: 60))
    for age in 1...60 {
      let now = try #require(left(4, of: 8, length: 60, age: Double(age)))
      #expect(now <= before + 0.001, "\(age): \(before) became \(now)")
      #expect(abs(now - Double(240 - age)) <= 1.1, "\(age): \(now)")
      before = now
    }
    let late = try #require(left(4, of: 8, length: 60, age: 120))
    #expect(late > before)
    #expect(left(4, of: 8, length: 60, age: 181) == nil)
  }

  @Test func `the first step may have been under way when the looking began`() throws {
    var estimator = ProgressEstimator()
    for second in stride(from: 40.0, through: 75, by: 0.5) {
      estimator.update(completed: UInt64(second / 15), at: at(second))
    }
    let found = try #require(estimator.remaining(total: 10, at: at(75)))
    #expect(abs(Double(found.milliseconds) / 1000 - 75) < 1)
  }

  @Test func `what was prepared before the first step is not expected before the others`() throws {
    var estimator = ProgressEstimator()
    estimator.update(completed: 0, at: at(0))
    for step in 1...6 {
      estimator.update(completed: UInt64(step), at: at(60 + Double(step) * 3))
    }
    let found = try #require(estimator.remaining(total: 26, at: at(78)))
    #expect(abs(Double(found.milliseconds) / 1000 - 60) < 1, "\(found.words)")
  }

  @Test func `one late step of five is not taken for the usual one`() throws {
    var estimator = ProgressEstimator()
    for step in 0...4 { estimator.update(completed: UInt64(step), at: at(Double(step) * 5)) }
    estimator.update(completed: 5, at: at(40))
    // Four times as long as the others, it counts like three.
    let found = try #require(estimator.remaining(total: 24, at: at(40)))
    #expect(Double(found.milliseconds) / 1000 < 160, "\(found.words)")
  }

  @Test func `one step that takes long does not double the rest`() throws {
    var estimator = ProgressEstimator()
    for step in 0...20 { estimator.update(completed: UInt64(step), at: at(Double(step) * 2)) }
    estimator.update(completed: 21, at: at(160))
    for step in 22...24 {
      estimator.update(completed: UInt64(step), at: at(160 + Double(step - 21) * 2))
    }
    let found = try #require(estimator.remaining(total: 60, at: at(166)))
    #expect(Double(found.milliseconds) / 1000 < 120, "\(found.words)")
  }
}

/// A remaining time without news.
@Suite struct CountdownTests {
  private func at(_ seconds: UInt64) -> Instant { .init(nanoseconds: seconds * 1_000_000_000) }

  @Test func `it counts down while the step may last, and then stays`() {
    let countdown = Countdown(.seconds(60), at: at(100), age: .seconds(3), interval: .seconds(20))
    #expect(countdown.left(at: at(100)) == .seconds(60))
    #expect(countdown.left(at: at(110)) == .seconds(50))
    #expect(countdown.left(at: at(116)) == .seconds(44))
    #expect(countdown.left(at: at(200)) == .seconds(44))
    #expect(
      Countdown(.seconds(1), at: at(1), age: .zero, interval: .seconds(20)).left(at: at(9)) == .zero
    )
  }

  @Test func `a late step is not counted down`() {
    let countdown = Countdown(.seconds(60), at: at(100), age: .seconds(30), interval: .seconds(20))
    #expect(countdown.left(at: at(110)) == .seconds(60))
    #expect(!countdown.differs(from: .seconds(62), at: at(110)))
    #expect(countdown.differs(from: .seconds(70), at: at(110)))
  }
}

/// The estimate from earlier runs.
@Suite struct EarlierRunsTests {
  @Test func `the median counts, scaled to the size of this run`() {
    var earlier = EarlierRuns()
    #expect(earlier.expected(total: 200, unit: .items) == nil)
    for seconds in [10, 90, 20] as [UInt64] {
      earlier.add(.seconds(seconds), total: 100, unit: .items)
    }
    #expect(earlier.expected(total: 200, unit: .items) == .seconds(40))
    // Other units cannot be compared: the length alone counts.
    #expect(earlier.expected(total: 9, unit: .bytes) == .seconds(20))
  }
}
