import JobCore
import JobWire
import Testing

@testable import jobrun

/// The message before the live line.
struct FirstLineTests {
  @Test(arguments: [
    (80, true, true, "job 12 started · d leaves it running · Ctrl-C cancels it"),
    (50, true, true, "job 12 started · d leaves it · Ctrl-C cancels"),
    (30, true, true, "job 12 started · d leaves"), (20, true, true, "job 12 started"),
    (80, true, false, "job 12 started · Ctrl-C cancels it"), (80, false, true, "job 12 started"),
  ])
  func `a job says how it is left, once and where it fits`(
    width: Int, explains: Bool, hasKeys: Bool, expected: String
  ) {
    let text = FirstLine.text(
      Sample.job(.launching), explains: explains, hasKeys: hasKeys, width: width)
    #expect(text == expected)
  }

  @Test func `what waits has not started`() {
    let text = FirstLine.text(Sample.job(.queued), explains: true, hasKeys: true, width: 80)
    #expect(text == "job 12 waits · d leaves it waiting · Ctrl-C cancels it")
  }

  @Test(arguments: [
    ("━━╸── 43 % ⠋ …", "##=-- 43 % | ~"), ("✓ 2 Trip · ✗ ■", "+ 2 Trip - x *"),
    ("plain", "plain"), ("Café 旅行", "Café 旅行"),
  ])
  func `where only ASCII can be shown its signs are drawn`(text: String, expected: String) {
    #expect(String(decoding: ASCIIText.bytes(text), as: UTF8.self) == expected)
  }

  @Test func `every frame of the spinner has a sign of ASCII`() {
    for frame in 0..<10 {
      #expect(ASCIIText.bytes(ProgressBar.spinner(frame: frame)).allSatisfy { $0 < 0x80 })
    }
  }
}
