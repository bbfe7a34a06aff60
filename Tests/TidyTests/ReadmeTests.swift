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

  @Test func `it is read in five minutes`() { #expect(lines.count <= 160) }

  @Test func `each link leads to a page that is there`() throws {
    let links = lines.flatMap { $0.matches(of: /\]\(([^)#]+)(?:#([^)]*))?\)/) }
    #expect(links.count > 20)
    for link in links {
      let page = try #require(Repository.text(of: String(link.1)), "\(link.1)")
      guard let anchor = link.2 else { continue }
      let headings = page.split(separator: "\n").filter { $0.hasPrefix("#") }
      #expect(headings.contains { $0.lowercased().hasSuffix(" \(anchor)") }, "\(link.0)")
    }
  }
}
