import JobCore
import Testing

/// The range of the remaining time, while the pace is not certain.
@Suite struct RangeTests {
  private static let total: UInt64 = 10_000

  private static func at(_ seconds: Double) -> Instant {
    Instant(nanoseconds: UInt64((seconds * 1000).rounded()) * 1_000_000 + 5_000_000_000)
  }

  /// An estimator with a look each tenth of a second: `pace` units a second from each time on.
  private static func estimator(_ paces: [(from: Double, pace: Double)], until end: Double)
    -> ProgressEstimator
  {
    var estimator = ProgressEstimator()
    var done = 0.0
    for tick in 0...Int((end * 10).rounded()) {
      let second = Double(tick) / 10
      estimator.update(completed: UInt64(done), at: at(second))
      done += (paces.last { $0.from <= second + 0.001 }?.pace ?? 0) / 10
    }
    return estimator
  }

  private static func range(
    _ paces: [(from: Double, pace: Double)], until end: Double
  ) -> ClosedRange<Double>? {
    estimator(paces, until: end).range(total: total, at: at(end)).map {
      Double($0.lowerBound.milliseconds) / 1000...Double($0.upperBound.milliseconds) / 1000
    }
  }

  @Test func `a steady pace has no range`() {
    for end in [5.0, 20, 60] { #expect(Self.range([(0, 100)], until: end) == nil) }
  }

  @Test func `of one or two steps nobody knows how far others differ`() throws {
    func range(steps: Int, hasEarlier: Bool = false) -> ClosedRange<Interval>? {
      var estimator = ProgressEstimator()
      for step in 0...steps {
        estimator.update(completed: UInt64(step), at: Self.at(Double(step) * 10))
      }
      return estimator.range(
        total: 12, at: Self.at(Double(steps) * 10), hasEarlier: hasEarlier)
    }
    let early = try #require(range(steps: 2))
    #expect(early.contains(.seconds(35)) && early.contains(.seconds(175)))
    #expect(!early.contains(.seconds(30)) && !early.contains(.seconds(185)))
    #expect(range(steps: 2, hasEarlier: true) == nil)
    #expect(range(steps: 3) == nil)
  }

  @Test(arguments: [20.0, 400])
  func `while the pace changes, the range holds the new pace and the old one`(pace: Double) throws {
    let paces = [(0, 100), (20, pace)] as [(Double, Double)]
    let range = try #require(Self.range(paces, until: 30))
    let left = Double(Self.total) - 2_000 - pace * 10
    #expect(range.contains(left / pace), "\(range)")
    #expect(range.contains(left / 100), "\(range)")
    let own = try #require(
      Self.estimator(paces, until: 30).remaining(total: Self.total, at: Self.at(30)))
    #expect(range.contains(Double(own.milliseconds) / 1000))
  }

  /// Paces until a time, and how many times as fast and as slow the rest may be.
  @Test(
    arguments: [
      ([(0, 200), (3, 60), (6, 200), (9, 60)], 12, 3.5, 1.8),
      ([(0, 100), (60, 30)], 80, 2, 1.6),
    ] as [([(from: Double, pace: Double)], Double, Double, Double)])
  func `what is left of an uneven run may differ from all that was seen, the less the later`(
    paces: [(from: Double, pace: Double)], end: Double, faster: Double, slower: Double
  ) throws {
    let range = try #require(Self.range(paces, until: end))
    let own = try #require(
      Self.estimator(paces, until: end).remaining(total: Self.total, at: Self.at(end)))
    let seconds = Double(own.milliseconds) / 1000
    #expect(range.contains(seconds / faster) && range.contains(seconds * slower), "\(range)")
    #expect(!range.contains(seconds / faster / 1.1), "\(range)")
  }

  @Test func `once the new pace has become the usual one, there is no range`() {
    #expect(Self.range([(0, 400), (4, 100)], until: 14) != nil)
    #expect(Self.range([(0, 130), (20, 100)], until: 60) == nil)
  }

  @Test func `a slow first step may be a preparation, until eight others were not`() throws {
    let paces = [(0, 0), (7, 70), (7.1, 200)] as [(Double, Double)]
    let early = try #require(Self.range(paces, until: 7.5))
    // At the pace since then, and at the pace of the whole.
    #expect((40...60).contains(early.lowerBound), "\(early)")
    #expect(early.upperBound > 500, "\(early)")
    #expect(Self.range(paces, until: 9) == nil)
    let left = try #require(
      Self.estimator(paces, until: 9).remaining(total: Self.total, at: Self.at(9)))
    #expect((45...50).contains(Double(left.milliseconds) / 1000), "\(left.words)")
  }

  @Test func `a slow step that comes again is no preparation`() throws {
    let paces = [(0, 0), (4, 200), (6, 0), (9, 200)] as [(Double, Double)]
    let left = try #require(
      Self.estimator(paces, until: 9.5).remaining(total: Self.total, at: Self.at(9.5)))
    #expect(left > .seconds(60), "\(left.words)")
  }

  @Test func `the time left agrees with the rate beside it`() throws {
    for paces in [[(0, 100)], [(0, 100), (20, 400)], [(0, 0), (7, 200)]] as [[(Double, Double)]] {
      let estimator = Self.estimator(paces, until: 30)
      let left = try #require(estimator.remaining(total: Self.total, at: Self.at(30)))
      let rate = try #require(estimator.rate(at: Self.at(30)))
      let done = try #require(Self.done(paces, at: 30))
      let product = Double(left.milliseconds) / 1000 * rate
      #expect(abs(product - (Double(Self.total) - done)) < Double(Self.total) / 50)
    }
  }

  private static func done(_ paces: [(Double, Double)], at end: Double) -> Double? {
    var sum = 0.0
    for (index, pace) in paces.enumerated() {
      let until = index + 1 < paces.count ? paces[index + 1].0 : end
      sum += pace.1 * (until - pace.0)
    }
    return sum
  }
}
