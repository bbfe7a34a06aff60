import JobCore
import Testing

@Suite struct ProgressTraceTests {
  /// A point some milliseconds after the start.
  private func point(
    _ milliseconds: Int64, _ completed: UInt64 = 1, attempt: Int = 1,
    _ mark: ProgressTrace.Mark? = nil
  ) -> ProgressTrace.Point {
    ProgressTrace.Point(
      at: WallTime(milliseconds: milliseconds), attempt: attempt, completed: completed,
      total: 1_000_000, unit: .items, mark: mark)
  }

  @Test func `points closer together than the interval are one`() {
    var trace = ProgressTrace()
    #expect(trace.add(point(1_000)) == .appended)
    #expect(trace.add(point(1_999)) == .none)
    #expect(trace.add(point(2_000)) == .appended)
    #expect(trace.points.count == 2)
  }

  @Test func `what has happened is kept whenever it did`() {
    var trace = ProgressTrace()
    _ = trace.add(point(1_000))
    #expect(trace.add(point(1_001, .stalled)) == .appended)
    #expect(trace.add(point(1_002, attempt: 2)) == .appended)
    #expect(trace.points.map(\.mark) == [nil, .stalled, nil])
  }

  @Test func `a day takes the room of four minutes, from its first point to its last`() {
    var trace = ProgressTrace()
    for second in 1...86_400 {
      _ = trace.add(point(Int64(second) * 1_000, UInt64(second)))
      #expect(trace.points.count <= ProgressTrace.capacity)
    }
    #expect(trace.points.first?.completed == 1)
    #expect(trace.points.count > ProgressTrace.capacity / 2)
    let gaps = zip(trace.points, trace.points.dropFirst()).map { $1.at - $0.at }
    // No part of the day is drawn more coarsely than any other: it is over when the last point is.
    #expect(gaps.allSatisfy { $0 <= trace.interval * 2 })
    #expect(86_400 - (trace.points.last?.completed ?? 0) <= trace.interval.milliseconds / 1_000)
  }

  @Test func `marks stay when points go, and do not take all the room`() {
    var trace = ProgressTrace()
    for second in 1...10_000 {
      _ = trace.add(point(Int64(second) * 1_000, second == 300 ? .stalled : nil))
    }
    #expect(trace.points.filter { $0.mark == .stalled }.map(\.at.milliseconds) == [300_000])

    var restless = ProgressTrace()
    for second in 1...10_000 { _ = restless.add(point(Int64(second) * 1_000, .warned)) }
    #expect(restless.points.count <= ProgressTrace.capacity)
  }

  @Test func `a clock that is set back does not turn the curve round`() {
    var trace = ProgressTrace()
    _ = trace.add(point(5_000))
    _ = trace.add(point(1_000, .ended))
    #expect(trace.points.map(\.at.milliseconds) == [5_000, 5_000])
  }

  @Test func `an attempt of which only the end was seen is drawn from where the one before ended`()
    throws
  {
    let points = [
      point(1_000, 250_000), point(2_000, 500_000, .ended),
      point(9_000, 1_000_000, attempt: 2, .ended),
    ]
    let curve = try #require(
      ProgressCurve(
        ProgressTrace(points: points, interval: ProgressTrace.shortest),
        started: WallTime(milliseconds: 0), ended: WallTime(milliseconds: 9_000),
        now: WallTime(milliseconds: 9_000)))
    #expect(curve.attempts.map { $0.map(\.share) } == [[0, 0.25, 0.5], [0.5, 1]])
    let told = curve.events.filter { $0.words != nil }
    #expect(told.map(\.words) == ["attempt 2"] && told[0].place.at.milliseconds == 2_000)
  }

  private func point(
    _ milliseconds: Int64, _ mark: ProgressTrace.Mark?
  ) -> ProgressTrace.Point { point(milliseconds, 1, attempt: 1, mark) }
}
