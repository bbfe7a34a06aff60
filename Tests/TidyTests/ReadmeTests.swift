import TestKit
import Testing

/// The README is the first thing that people read, and stays short.
///
/// `CommandLineTests.ManualTests` and `EndToEndTests.ManualTests` hold its commands against the program.
struct ReadmeTests {
  private let lines: [Substring]

  init() throws {
    lines = try #require(Repository.text(of: "README.md")).split(
      separator: "\n", omittingEmptySubsequences: false)
  }

  @Test func `the first screen sets up with exactly two commands`() {
    let makes = lines.prefix(30).filter { $0.hasPrefix("make ") }.compactMap {
      $0.split(separator: " ").dropFirst().first
    }
    #expect(makes == ["demo", "test"])
  }
}
