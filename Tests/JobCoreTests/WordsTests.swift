import JobCore
import Testing

@Suite struct WordsTests {
  @Test(arguments: [
    (Interval.milliseconds(500), "500 ms"), (.zero, "0 ms"), (.seconds(1), "1 s"),
    (.milliseconds(2_500), "2.5 s"), (.seconds(30), "30 s"), (.seconds(90), "90 s"),
    (.seconds(120), "2 min"), (.seconds(3_600), "1 h"), (.minutes(90), "90 min"),
    (.minutes(60 * 48), "48 h"),
  ])
  func `a span reads as a person writes it`(span: Interval, words: String) {
    #expect(span.words == words)
  }

  @Test func `clocks and spans hold at their ends instead of trapping`() {
    let end = Instant(nanoseconds: .max)
    #expect(end + .seconds(1) == end)
    #expect(Instant(nanoseconds: 1) - Instant(nanoseconds: 2) == .zero)
    #expect(Interval.minutes(.max) * 2 == Interval(nanoseconds: .max))
  }
}
