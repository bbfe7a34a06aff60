import Foundation
import JobPage
import TestKit
import Testing

/// The real job on real databases, made with the system's own sqlite3 where there is one.
@Suite struct VacuumTests {
  @Test func `what a database no longer uses is given back, and nothing else changes`() throws {
    let run = try VacuumRun()
    try run.makeWasteful("notes/a b.db")
    try run.makeWasteful("notes/deep/log.sqlite", mode: "WAL")
    try run.sandbox.write("SQLite format 3, but only a text", to: "notes/readme")
    let before = try run.size("notes/a b.db")
    let content = try run.rows("notes/a b.db")
    let finished = try run.vacuum("notes")
    #expect(finished.status == 0, "\(finished.errors)")
    #expect(try run.size("notes/a b.db") < before / 2)
    #expect(try run.size("notes/deep/log.sqlite") < before / 2)
    #expect(try run.rows("notes/a b.db") == content)
    #expect(try run.text("notes/readme") == "SQLite format 3, but only a text")
    let page = try run.page()
    #expect(page.outcome == .success)
    #expect(page.unit == .bytes)
    #expect(page.total > 0 && page.completed == page.total)
    #expect(page.message.hasPrefix("2 databases sound, 2 vacuumed, "), "\(page.message)")
    // A second run has nothing to do.
    #expect(try run.vacuum("notes").status == 0)
    #expect(try run.page().message == "2 databases sound")
  }

  @Test func `a damaged database is reported and left as it is, the others are done`() throws {
    let run = try VacuumRun()
    try run.makeWasteful("notes/good.db")
    try run.makeWasteful("notes/bad.db")
    try run.damage("notes/bad.db")
    let before = try run.bytes("notes/bad.db")
    let finished = try run.vacuum("notes")
    #expect(finished.status == 2)
    #expect(finished.errors.contains("bad.db: damaged, left alone: "), "\(finished.errors)")
    #expect(try run.bytes("notes/bad.db") == before)
    #expect(try run.page().message.contains("1 vacuumed"))
    #expect(try run.page().message.hasSuffix("1 damaged"))
  }

  @Test func `a database that is in use is left alone`() throws {
    let run = try VacuumRun()
    try run.makeWasteful("notes/a.db")
    let before = try run.bytes("notes/a.db")
    let user = try run.lock("notes/a.db")
    let finished = try run.vacuum("notes")
    #expect(finished.status == 0, "\(finished.errors)")
    #expect(finished.errors.contains("a.db: left alone: another program uses it"))
    #expect(try run.bytes("notes/a.db") == before)
    #expect(try run.page().message == "0 databases sound, 1 left alone")
    withExtendedLifetime(user) {}
  }

  @Test func `a database with two names and one behind a link are not touched`() throws {
    let run = try VacuumRun()
    try run.makeWasteful("elsewhere/a.db")
    try run.makeWasteful("notes/b.db")
    let files = FileManager.default
    try files.createSymbolicLink(
      atPath: run.sandbox.path("notes/link.db"),
      withDestinationPath: run.sandbox.path("elsewhere/a.db"))
    try files.linkItem(
      atPath: run.sandbox.path("notes/b.db"), toPath: run.sandbox.path("notes/c.db"))
    let before = try run.bytes("elsewhere/a.db") + run.bytes("notes/b.db")
    let finished = try run.vacuum("notes")
    #expect(finished.status == 0)
    #expect(try run.page().message == "0 databases sound, 2 left alone")
    #expect(try run.bytes("elsewhere/a.db") + run.bytes("notes/b.db") == before)
  }

  @Test(arguments: [
    (["--all", "notes"], "vacuum has no flag --all"), ([], "vacuum takes one FOLDER"),
    (["a", "b"], "it was given 2"), (["/nowhere/at/all"], "cannot read the folder /nowhere/at/all"),
  ])
  func `what makes no sense is refused in one sentence`(words: [String], sentence: String) throws {
    let run = try VacuumRun()
    #expect(try run.vacuum(words).status != 0)
    #expect(try run.page().message.contains(sentence))
  }
}
