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

  @Test func `nothing is said before two seconds and two advances`() {
    #expect(fed(rate: 1000, seconds: 1.9).rate(at: at(1.9)) == nil)
    #expect(fed(rate: 1000, seconds: 2.2).rate(at: at(2.2)) != nil)
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

  @Test func `a count that shrinks begins anew, and all done leaves nothing`() {
    var estimator = fed(rate: 1000, seconds: 20)
    #expect(estimator.remaining(total: 10, at: at(20)) == .zero)
    estimator.update(completed: 5, at: at(21))
    #expect(estimator.rate(at: at(21)) == nil)
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

  @Test func `a pause is told of when it is long for this job`() {
    var estimator = fed(rate: 1000, seconds: 20)
    #expect(estimator.pause(at: at(24.9)) == nil)
    #expect(estimator.pause(at: at(26)) != nil)
    estimator.update(completed: 21_000, at: at(28))
    #expect(estimator.pause(at: at(40)) == nil)
    #expect(estimator.pause(at: at(53)) == .seconds(25))
    #expect(ProgressEstimator().pause(at: at(100)) == nil)
  }

  @Test(arguments: [(30, Span.seconds(8)), (0, nil)] as [(UInt64, Span?)])
  func `what was begun before the first look stands still since then`(begun: UInt64, pause: Span?) {
    var estimator = ProgressEstimator()
    estimator.update(completed: begun, at: at(1))
    #expect(estimator.pause(at: at(9)) == pause)
  }
}
