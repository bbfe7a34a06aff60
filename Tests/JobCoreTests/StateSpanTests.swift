import JobCore
import Testing

struct StateSpanTests {
  private func time(_ seconds: Int64) -> WallTime { WallTime(milliseconds: seconds * 1_000) }

  /// `(second, attempt, mark)`.
  private func trace(_ points: [(Int64, Int, ProgressTrace.Mark?)]) -> ProgressTrace {
    ProgressTrace(
      points: points.map { at, attempt, mark in
        ProgressTrace.Point(
          at: time(at), attempt: attempt, completed: 0, total: 0, unit: .items, mark: mark)
      }, interval: ProgressTrace.shortest)
  }

  private func spans(
    _ points: [(Int64, Int, ProgressTrace.Mark?)], started: Int64? = 10, until: Int64 = 100,
    now: (state: StateSpan.State, since: WallTime?)? = nil
  ) -> [String] {
    StateSpan.all(
      submitted: time(0), started: started.map(time), until: time(until), trace(points), now: now
    ).map { "\($0.state) \($0.from.milliseconds / 1_000)-\($0.to.milliseconds / 1_000)" }
  }

  @Test func `without a trace it waited and ran`() {
    #expect(spans([]) == ["waiting 0-10", "running 10-100"])
    #expect(spans([], started: nil) == ["waiting 0-100"])
  }

  @Test func `pauses, questions and the stop have their times`() {
    #expect(
      spans([
        (20, 1, nil), (30, 1, .stalled), (40, 1, .answered), (50, 1, .paused), (55, 1, .paused),
        (60, 1, .resumed), (90, 1, .stopping), (100, 1, .ended),
      ]) == [
        "waiting 0-10", "running 10-30", "stalled 30-40", "running 40-50", "paused 50-60",
        "running 60-90", "stopping 90-100",
      ])
  }

  @Test func `a question that was open before a pause is open after it`() {
    #expect(
      spans([(30, 1, .stalled), (50, 1, .paused), (60, 1, .resumed)]).suffix(3)
        == ["stalled 30-50", "paused 50-60", "stalled 60-100"])
  }

  @Test func `between two attempts it waits`() {
    #expect(
      spans([(20, 1, .ended), (40, 2, nil), (50, 2, .ended), (70, 3, .ended)], until: 70) == [
        "waiting 0-10", "running 10-20", "waiting 20-40", "running 40-50", "running 50-70",
      ])
  }

  @Test func `what it is now is known without a trace`() {
    #expect(
      spans([], now: (.paused, time(60))) == ["waiting 0-10", "running 10-60", "paused 60-100"])
    #expect(spans([(20, 1, .ended)], now: (.waiting, nil)).last == "waiting 20-100")
    // An open question whose mark was stored is no second one.
    #expect(
      spans([(30, 1, .stalled)], now: (.stalled, time(31))).suffix(1) == ["stalled 30-100"])
  }

  @Test func `a clock that was set back makes no span of negative length`() {
    #expect(
      spans([(5, 1, .paused), (20, 1, .resumed)]) == [
        "waiting 0-10", "paused 10-20", "running 20-100",
      ])
  }
}
