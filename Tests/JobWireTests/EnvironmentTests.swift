import JobWire
import Testing

@Suite struct EnvironmentTests {
  private let environment = Environment(
    entries: ["HOME=/h", "HOMELESS=no", "EMPTY=", "PATH=/a=b", "HOME=/second", "NAMELESS", "=x"]
      .map { Array($0.utf8) })

  @Test(arguments: [
    ("HOME", "/h"), ("HOMELESS", "no"), ("EMPTY", ""), ("PATH", "/a=b"), ("HOM", nil),
    ("NAMELESS", nil), ("MISSING", nil), ("HOMELESS2", nil),
  ])
  func `the first entry of just that name counts`(name: String, value: String?) {
    #expect(environment[name] == value)
  }

  @Test func `bytes that are no text are replaced in what is shown`() {
    #expect(Environment(entries: [Array("A=".utf8) + [0xFF]])["A"] == "\u{FFFD}")
  }

  @Test func `a dictionary makes the same entries`() {
    #expect(Environment(["A": "1"]) == ["A": "1"])
  }
}
