import JobCore
import JobWire
import Testing

@testable import jobrun

/// Times left that are shown in steps.
struct CoarseTimeTests {
  /// The times shown for these estimates in sequence; in minutes.
  private func shown(_ minutes: Double...) -> [String] {
    var time = SteadyTime()
    return minutes.map { exact in
      time.receive(.seconds(UInt64(exact * 60))).map { QuantityText.timeLeft($0).long } ?? "-"
    }
  }

  @Test func `an estimate that wavers around a boundary is shown as one time`() {
    #expect(Set(shown(29, 27.4, 27.6, 27, 28, 25.5, 32, 33)) == ["about 30 min"])
    #expect(Set(shown(26, 27.6, 28, 27.4, 29.9)) == ["about 25 min"])
    #expect(Set(shown(62, 74, 76, 70, 80)) == ["about 1 h"])
  }

  @Test func `an estimate that has clearly moved is shown at once`() {
    #expect(shown(29, 24.9, 41) == ["about 30 min", "about 25 min", "about 40 min"])
    #expect(shown(62, 82, 600) == ["about 1 h", "about 1.5 h", "about 10 h"])
  }

  @Test func `counting down leaves out no step`() {
    var time = SteadyTime()
    var texts: [String] = []
    for second in (9 * 60..<70 * 60).reversed() {
      guard let span = time.receive(.seconds(UInt64(second))), span >= .seconds(600) else {
        continue
      }
      let text = QuantityText.timeLeft(span).long
      if texts.last != text { texts.append(text) }
    }
    let steps = ["1 h"] + stride(from: 55, through: 20, by: -5).map { "\($0) min" }
    #expect(texts == (steps + (11...19).reversed().map { "\($0) min" }).map { "about \($0)" })
  }

  @Test func `ten minutes are left for the clock once, and an unknown time starts anew`() {
    #expect(
      shown(10, 9.6, 9.4, 9.9, 10) == [
        "about 10 min", "about 10 min", "9:24", "9:54", "about 10 min",
      ])
    var time = SteadyTime()
    _ = time.receive(.seconds(1800))
    #expect(time.receive(nil) == nil)
    #expect(time.receive(.seconds(1600)) == .seconds(1500))
  }

  @Test func `what it is rounded to is shown as it would be itself`() {
    for minutes in 1...6000 as ClosedRange<UInt64> {
      let span = Interval.seconds(minutes * 60 + 17)
      var time = SteadyTime()
      let shown = time.receive(span)
      #expect(shown.map { QuantityText.timeLeft($0).long } == QuantityText.timeLeft(span).long)
    }
  }
}
