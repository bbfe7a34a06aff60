import JobCore
import Testing

struct ObservationTests {
  @Test(arguments: [
    "none", "auto", "auto stalls", "none 80x24", "auto stalls 132x50",
    "make /120 CC ar cc", "make stalls 80x24 /0 ",
    "pattern /([0-9]+)/([0-9]+) stalls 1x1", "pattern stalls 80x24 / a  b",
  ])
  func `an observation comes back as it was written`(_ text: String) {
    #expect(Observation(text: text)?.text == text)
  }

  @Test(arguments: [
    "", "all", "make", "make /", "make /x cc", "auto x", "auto /a",
    "pattern", "auto 80x", "auto 0x24", "auto 99999x1",
  ])
  func `anything else is no observation`(_ text: String) {
    #expect(Observation(text: text) == nil)
  }
}
