import Foundation
import JobWire
import TestKit
import Testing

@testable import jobrun

/// The pages of the manual: complete, current, and right about what they show.
///
/// `JOBRUN_RECORD_GOLDEN=1` writes their tables anew.
struct ManualTests {
  static let folder = BuiltProducts.packageRoot + "/Sources/jobrun/Manual"
  private let manual = Manual(folder: Self.folder)

  private func page(_ topic: Manual.Topic) throws -> String { try manual.source(of: topic) }

  @Test func `every topic has its page, and every page is a topic`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder).sorted()
    #expect(files == Manual.Topic.allCases.map { "\($0.rawValue).md" }.sorted())
    for topic in manual.titles { #expect(!topic.title.isEmpty, "\(topic.name)") }
  }

  @Test func `no topic has the name of a verb, and every synonym is one of one topic`() {
    let topics = Manual.Topic.allCases
    let names = topics.map(\.rawValue) + topics.flatMap(\.synonyms)
    #expect(Set(names).count == names.count)
    #expect(topics.allSatisfy { Verb.Name(rawValue: $0.rawValue) == nil })
  }

  @Test(arguments: Manual.Topic.allCases)
  func `tables say what the command's own tables say`(_ topic: Manual.Topic) throws {
    let written = try page(topic)
    let current = try ManualTables.current(written)
    if ProcessInfo.processInfo.environment["JOBRUN_RECORD_GOLDEN"] != nil, current != written {
      try current.write(
        toFile: "\(Self.folder)/\(topic.rawValue).md", atomically: true, encoding: .utf8)
    }
    let isCurrent = written == current
    #expect(isCurrent, "JOBRUN_RECORD_GOLDEN=1 writes it anew")
  }

  @Test(arguments: Manual.Topic.allCases)
  func `every command shown is one that the program takes`(_ topic: Manual.Topic) throws {
    for line in try ShownCommands(in: page(topic)).lines { try expectTaken(line) }
  }

  @Test func `every command of the README is one that the program takes`() throws {
    let lines = try ShownCommands(in: Document("README.md").text).lines
    #expect(lines.count >= 6)
    for line in lines { try expectTaken(line) }
  }

  private func expectTaken(_ line: String) throws {
    #expect(throws: Never.self, "\(line)") {
      try Invocation.parse(ShownCommands.words(of: line).dropFirst().map { Argument($0) })
    }
  }

  @Test(arguments: Manual.Topic.allCases)
  func `a page fits a terminal, and a manual page has no request but ours`(
    _ topic: Manual.Topic
  ) throws {
    let page = Markdown(try page(topic))
    for line in Manual.text(of: page).split(separator: "\n") {
      #expect(line.count <= Help.width, "\(line)")
      #expect(!line.contains("**") && !line.contains("`"), "\(line)")
    }
    let requests = [
      ".TH", ".SH", ".SS", ".TP", ".PP", ".IP", ".B", ".nf", ".fi", ".RS", ".RE",
    ]
    for line in Manual.man(topic, page).split(separator: "\n") where line.hasPrefix(".") {
      #expect(requests.contains(String(line.prefix { $0 != " " })), "\(line)")
    }
  }

  @Test(arguments: Manual.Topic.allCases)
  func `links lead to pages that are there`(_ topic: Manual.Topic) throws {
    for match in try page(topic).matches(of: /\]\(([^)#]+)\)/) where !match.1.hasPrefix("https:") {
      #expect(FileManager.default.fileExists(atPath: "\(Self.folder)/\(match.1)"), "\(match.1)")
    }
  }

  @Test func `job.json is shown with all of its keys`() throws {
    let rows = try Document("Sources/jobrun/Manual/writing.md").column(0, below: "## job.json")
    #expect(Set(rows.flatMap(Document.code)) == Set(JobManifest.keys))
  }

  @Test func `engines are shown with all of their keys`() throws {
    let rows = try Document("Sources/jobrun/Manual/machines.md").column(0, below: "| key")
    #expect(Set(rows.flatMap(Document.code)) == Set(EngineSettings.keys))
  }

  @Test func `a page is set as text and as a manual page`() {
    let page = Markdown(
      """
      # A title

      Some `code`, **strong** and *other* words, [linked](groups.md).

      ## A part
      <!-- A comment. -->

      - one
      - two
        more

      ```sh
      jobrun list
      ```

      | a | b |
      |---|---|
      | `x\\|y` | why |
      """)
    #expect(
      Manual.text(of: page) == """
        A title

        Some code, strong and other words, linked (jobrun help groups).

        A PART

        - one
        - two more

          jobrun list

          a    b
          ---  ---
          x|y  why

        """)
    let man = Manual.man(.files, page)
    for part in [
      ".TH JOBRUN\\-FILES 1 ", "jobrun\\-files \\- A title",
      "Some \\fBcode\\fR, \\fBstrong\\fR and \\fIother\\fR words, linked (\\fBjobrun\\-groups\\fR(1)).",
      ".SH A PART\n.IP \\(bu 2\none\n", ".nf\n.RS 4\njobrun list\n.RE\n.fi\n.TP\n.B x|y\nwhy\n",
    ] {
      #expect(man.contains(part), "\(part)\n\(man)")
    }
  }
}
