import JobCore
import SimulatedWorld
import Testing

@Suite struct IdentifierTests {
  @Test(arguments: [
    "a", "io.jobrun.samples.export.k3f9", "A-b.C-1", "-", "1.2.3",
    String(repeating: "a", count: 255),
  ])
  func `a well-formed identifier is taken as it is`(text: String) {
    #expect(JobIdentifier.problem(in: text) == nil)
    #expect(JobIdentifier(text)?.text == text)
  }

  @Test(arguments: [
    ("", "the identifier is empty; write one like io.example.export.trip"),
    (".a", "the identifier \".a\" starts with a dot; begin with a name"),
    ("a.", "the identifier \"a.\" ends with a dot; put a name after it or leave it out"),
    (
      "a..b",
      "the identifier \"a..b\" has two dots in a row; put a name between them or leave one out"
    ),
    (
      "io.jobrun.*",
      "\"io.jobrun.*\" is a pattern, and one identifier is needed here;"
        + " put a name in place of the *, as in io.jobrun.name"
    ),
    (
      "a/b",
      "the identifier \"a/b\" contains \"/\"; only letters, digits, '-', '_' and '.' are allowed"
    ),
    (
      "a\u{1B}[2J",
      "the identifier \"a\\u{1B}[2J\" contains \"\\u{1B}\";"
        + " only letters, digits, '-', '_' and '.' are allowed"
    ),
    (
      "a\u{9B}31m\u{202E}",
      "the identifier \"a\\u{009B}31m\\u{202E}\" contains \"\\u{009B}\";"
        + " only letters, digits, '-', '_' and '.' are allowed"
    ),
    (
      "größe",
      "the identifier \"größe\" contains \"ö\"; only letters, digits, '-', '_' and '.' are allowed"
    ),
    (
      String(repeating: "a", count: 256),
      "the identifier \"\(String(repeating: "a", count: 60))…\" has 256 bytes;"
        + " 255 is the limit"
    ),
  ])
  func `a malformed identifier gets one sentence that says what would be right`(
    text: String, sentence: String
  ) {
    #expect(JobIdentifier.problem(in: text) == sentence)
    #expect(JobIdentifier(text) == nil)
  }

  @Test(arguments: [
    ("io.jobrun.samples.*", "io.jobrun.samples.export", true),
    ("io.jobrun.samples.*", "io.jobrun.samples.export.trip", true),
    ("io.jobrun.samples.*", "io.jobrun.samples", false),
    ("io.jobrun.samples.*", "io.jobrun.samplesX", false),
    ("io.jobrun.samples.*", "io.jobrun.samplesX.export", false),
    ("io.jobrun.samples.*", "io.jobrun.Samples.export", false),
    ("io.jobrun.samples", "io.jobrun.samples", true),
    ("io.jobrun.samples", "io.jobrun.samples.export", false),
  ])
  func `a pattern matches whole labels, in their case`(
    pattern: String, identifier: String, matches: Bool
  ) throws {
    let pattern = try #require(IdentifierPattern(pattern))
    #expect(pattern.matches(try #require(JobIdentifier(identifier))) == matches)
  }

  @Test(arguments: [
    ("a.b", "a.b", true), ("a.b", "a.c", false), ("a.b", "a.*", true), ("a", "a.*", false),
    ("a.*", "a.*", true), ("a.b.*", "a.*", true), ("a.b.*", "a.c.*", false), ("a.*", "aa.*", false),
  ])
  func `two patterns overlap where one identifier matches both`(
    one: String, other: String, overlap: Bool
  ) throws {
    let one = try #require(IdentifierPattern(one))
    let other = try #require(IdentifierPattern(other))
    #expect(one.overlaps(other) == overlap)
    #expect(other.overlaps(one) == overlap)
  }

  @Test func `the more specific pattern wins, in whatever order they are registered`() throws {
    let texts = ["io.*", "io.jobrun.*", "io.jobrun.export.trip", "io.jobrun.export.*", "org.*"]
    let patterns = texts.compactMap { IdentifierPattern($0) }
    func best(_ text: String, _ patterns: [IdentifierPattern]) throws -> String? {
      IdentifierPattern.best(for: try #require(JobIdentifier(text)), among: patterns)?.text
    }
    for patterns in [patterns, patterns.reversed()] {
      #expect(try best("io.jobrun.export.trip", patterns) == "io.jobrun.export.trip")
      #expect(try best("io.jobrun.export.tour", patterns) == "io.jobrun.export.*")
      #expect(try best("io.jobrun.exports", patterns) == "io.jobrun.*")
      #expect(try best("com.jobrun", patterns) == nil)
    }
  }

  @Test(arguments: [
    ("*", "the pattern \"*\" has its * in the wrong place"),
    ("io.*.export", "the pattern \"io.*.export\" has its * in the wrong place"),
    ("io.export*", "the pattern \"io.export*\" has its * in the wrong place"),
    ("io.*.*", "the pattern \"io.*.*\" has its * in the wrong place"),
    (".*", "the identifier is empty"), ("io..*", "the identifier \"io.\" ends with a dot"),
    (String(repeating: "a", count: 254) + ".*", "the pattern \"aaa"),
  ])
  func `a malformed pattern gets its sentence too`(text: String, beginning: String) {
    #expect(IdentifierPattern(text) == nil)
    #expect(IdentifierPattern.problem(in: text)?.hasPrefix(beginning) == true)
  }
}
