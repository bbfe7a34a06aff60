import Glibc
import JobWire
import TestKit
import Testing

@Suite struct LinePatternTests {
  private func groups(_ pattern: String, _ line: String) throws -> [String]? {
    var steps = 1_000_000
    let found = try LinePattern(pattern).groups(in: Array(line.utf8), steps: &steps)
    return found.map { $0.map { String(decoding: $0, as: UTF8.self) } }
  }

  private func reason(_ pattern: String) -> String? {
    do throws(LinePattern.Problem) {
      _ = try LinePattern(pattern)
      return nil
    } catch {
      return error.reason
    }
  }

  @Test func `groups hold what they matched, and one that took no part is empty`() throws {
    let pattern = "at ([0-9]+)( of ([0-9]+))?"
    #expect(try LinePattern(pattern).groupCount == 3)
    #expect(try groups(pattern, "now at 12 of 40") == ["12", " of 40", "40"])
    #expect(try groups(pattern, "at 7") == ["7", "", ""])
    #expect(try groups(pattern, "nowhere") == nil)
  }

  @Test(arguments: [
    ("(a+)b", "xaaab", ["aaa"]), ("([^]]+)]", "a[3]", ["a[3"]), ("([]x]+)", "a]x", ["]x"]),
    ("([[:digit:]]+) */ *([[:digit:]]+)", "12 / 40", ["12", "40"]),
    ("(\\d+)%", "12%", ["12"]), ("\\b([0-9]+)\\b", "a1 23 4b", ["23"]),
    ("([0-9]{2,3})", "12345", ["123"]), ("^([0-9]{2})$", "12", ["12"]),
    ("<([0-9]+)>|\\(([0-9]+)\\)", "at (9)", ["", "9"]), ("(a|ab)(c|bcd)", "abcd", ["a", "bcd"]),
    ("(a*)*b", "aab", ["aa"]), ("([0-9]+) (of) (\\w+)", "1 of many", ["1", "of", "many"]),
    ("a{,2}(b)", "a{,2}b", ["b"]), ("x{(1)", "x{1", ["1"]), ("(.*?) of", "1 of 2 of", ["1"]),
    ("(.*) of", "1 of 2 of", ["1 of 2"]), ("([a-c-]+)", "x-b", ["-b"]), ("()x", "x", [""]),
    ("fertig: ([0-9]+) °C", "fertig: 20 °C", ["20"]), ("([0-9]+)$", "1 2", ["2"]),
    ("(x|)1", "1", [""]), ("\\[([0-9]+)/([0-9]+)\\]", "[3/9]", ["3", "9"]),
  ])
  func `a pattern finds what it says`(_ pattern: String, _ line: String, _ found: [String]) throws {
    #expect(try groups(pattern, line) == found)
  }

  @Test func `groups have names, and those with a colon are none`() throws {
    let pattern = "^ *(?<id>[0-9]+) (?:[a-z]+ )*(?<state>[A-Z]+)$"
    #expect(try LinePattern(pattern).names == ["id": 0, "state": 1])
    #expect(try groups(pattern, " 12 a b QW") == ["12", "QW"])
  }

  /// The C library is the reference for matches; special bytes are likely.
  @Test func `it matches where grep -E does`() throws {
    var generator = SeededGenerator(seed: 20_260_729)
    let pieces = [
      "a", "b", "1", ".", "[0-9]", "[^a]", "(a)", "(b|1)", "(ab*)", "a+", "b?", "(1{1,2})", "^",
      "$",
      "x{2}", "(a|b|)", "[[:alpha:]]",
    ]
    var matches = 0
    for _ in 0..<2_000 {
      let pattern = (0..<Int.random(in: 1...5, using: &generator))
        .map { _ in pieces.randomElement(using: &generator) ?? "a" }.joined()
      let line = String(
        (0..<Int.random(in: 0...8, using: &generator))
          .map { _ in "ab1x".randomElement(using: &generator) ?? "a" })
      let found = try groups(pattern, line) != nil
      #expect(found == Self.isFoundByLibrary(pattern, line), "\(pattern) in \(line)")
      matches += found ? 1 : 0
    }
    #expect(matches > 200)
  }

  private static func isFoundByLibrary(_ pattern: String, _ line: String) -> Bool {
    var compiled = unsafe regex_t()
    guard unsafe regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB) == 0 else { return false }
    defer { unsafe regfree(&compiled) }
    return unsafe regexec(&compiled, line, 0, nil, 0) == 0
  }

  @Test(arguments: [
    ("(", "Unmatched ("), ("a)", "Unmatched )"), ("[a", "Unmatched ["), ("[", "Unmatched ["),
    ("*a", "there is nothing before \"*\""), ("a**", "two repetitions"), ("\\", "a backslash"),
    ("(.*)\\1(.*)\\1x", "\"\\1\" is a back-reference"), ("a{256}", "more than 255 times"),
    ("a{3,2}", "above its maximum"), ("[z-a]", "runs backwards"), ("[[:colour:]]", "unknown class"),
    ("[[.a.]]", "unknown class"), ("[[:", "unknown class"),
    ("(?a)", "is written (?:…) or (?<name>…)"), ("(?<>a)", "is written"), ("(?<a", "is written"),
    ("(?<a>x)(?<a>y)", "two of its groups are called a"), ("(?", "is written"),
    ("(((.{1,200}){1,200}){1,200})", "too large"), ("((((){255}){255}){255}){255}", "too large"),
    ("a{99999999999999999999}", "more than 255 times"),
  ])
  func `a pattern that cannot be used says why`(_ pattern: String, _ expected: String) {
    #expect(reason(pattern)?.contains(expected) == true, "\(reason(pattern) ?? "was taken")")
  }

  @Test func `what overflowed a stack or filled the memory is refused at once`() {
    let nested = String(repeating: "(", count: 15_000) + String(repeating: ")", count: 15_000)
    #expect(reason(nested)?.contains("30000 bytes") == true)
    let deep = String(repeating: "(", count: 400) + String(repeating: ")", count: 400)
    #expect(reason(deep)?.contains("nested deeper than 20") == true)
    #expect(reason(String(repeating: "x", count: 1000))?.contains("too large") == true)
  }

  @Test func `a search is given up when it has cost what it may`() throws {
    let pattern = try LinePattern("((a?){30}a{30})(b)")
    var steps = 10_000
    #expect(pattern.groups(in: [UInt8](repeating: 0x61, count: 2000), steps: &steps) == nil)
    #expect(steps > -4 * LinePattern.maximumBytes && steps <= 0)
  }

  @Test func `no pattern and no line of random bytes is trouble`() throws {
    var generator = SystemRandomNumberGenerator()
    let alphabet = Array("()[]{}|*+?.^$\\-:,0123dwbx<>=".utf8) + [0, 0xFF, 0xC3]
    for _ in 0..<5_000 {
      let bytes = (0..<Int.random(in: 0...20)).map { _ in
        alphabet.randomElement(using: &generator) ?? 0
      }
      let text = String(decoding: bytes, as: UTF8.self)
      guard let pattern = try? LinePattern(text) else { continue }
      var steps = 20_000
      _ = pattern.groups(in: Array(text.utf8), steps: &steps)
      _ = pattern.groups(in: [], steps: &steps)
    }
  }
}
