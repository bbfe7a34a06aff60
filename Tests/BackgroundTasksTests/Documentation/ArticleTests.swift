import BackgroundTasks
import Foundation
import JobPage
import LinuxSystem
import TestKit
import Testing

/// Every piece of code in an article is code that is compiled, and run by some test.
struct `The articles` {
  private static let articles =
    BuiltProducts.packageRoot
    + "/Sources/BackgroundTasks/BackgroundTasks.docc"
  private static let tests = BuiltProducts.packageRoot + "/Tests"

  private func text(_ path: String) throws -> String {
    String(decoding: try File.readAll(path), as: UTF8.self)
  }

  /// The blocks of code in one language, line by line without indentation.
  private func blocks(of language: String, in text: String) -> [String] {
    text.components(separatedBy: "```\(language)\n").dropFirst().map { rest in
      plain(rest.components(separatedBy: "```")[0])
    }
  }

  private func plain(_ code: String) -> String {
    code.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }.joined(separator: "\n")
  }

  @Test(arguments: [
    ("FirstJob", ["Snippets/FirstJob/main.swift", "Snippets/FirstJob/Package.swift.txt"], 2),
    (
      "MovingFromIOS",
      [
        "BackgroundTasksTests/Documentation/MovingFromIOS.swift", "Snippets/Declared/Stormy.swift",
        "Corpus/Programs/main.swift", "Fixtures/AppProbe/StormApp.swift",
      ],
      6
    ),
    (
      "TestingWithTheEmbeddedScheduler",
      ["BackgroundTasksTests/Documentation/TestingArticle.swift"], 3
    ),
  ])
  func `contain only Swift that is compiled`(article: String, files: [String], count: Int) throws {
    let compiled = try files.map { plain(try text("\(Self.tests)/\($0)")) }
    let blocks = blocks(of: "swift", in: try text("\(Self.articles)/\(article).md"))
    #expect(blocks.count == count)
    for block in blocks {
      #expect(compiled.contains { $0.contains(block) }, "not compiled: \(block)")
    }
  }

  @Test func `contain the Python that is run beside the page's description`() throws {
    let page = try text("\(BuiltProducts.packageRoot)/Sources/JobPage/page.md")
    let article = try text("\(Self.articles)/WritingThePage.md")
    #expect(blocks(of: "python", in: page) == blocks(of: "python", in: article))
    #expect(blocks(of: "python", in: article).count == 1)
  }

  @Test func `are all listed, and nothing else is`() throws {
    let names = try File.names(in: Self.articles).filter { $0 != "BackgroundTasks.md" }
    let landing = try text("\(Self.articles)/BackgroundTasks.md")
    let listed = landing.matches(of: /<doc:(\w+)>/).map { "\($0.1).md" }
    #expect(names.sorted() == listed.sorted())
  }

  @Test func `begin with a job that runs`() throws {
    let sandbox = try Sandbox()
    let page = sandbox.path("page")
    try PageFile.create(page, number: 1, attempt: 1)
    let job = try ChildProcess(
      try BuiltProducts.path("jobrun-snippet-first"),
      environment: ["JOBRUN_PAGE": page, "JOBRUN_IDENTIFIER": "io.example.notes.count.one"])
    #expect(try job.wait().status == 0)
    var reader = try PageReader(path: page)
    let snapshot = reader.snapshot()
    #expect((snapshot.completed, snapshot.total) == (100, 100))
    #expect((snapshot.outcome, snapshot.message) == (.success, "100 parts"))
    #expect(snapshot.subtitle == "part 100 of 100")
  }

  @Test func `show a declared program that runs`() throws {
    let sandbox = try Sandbox()
    let page = sandbox.path("page")
    try PageFile.create(page, number: 1, attempt: 1)
    let job = try ChildProcess(
      try BuiltProducts.path("jobrun-snippet-declared"),
      environment: ["JOBRUN_PAGE": page, "JOBRUN_IDENTIFIER": "io.example.stormy.upload.sky"])
    #expect(try job.wait().status == 0)
    var reader = try PageReader(path: page)
    #expect(reader.snapshot().completed == 3)
  }
}
