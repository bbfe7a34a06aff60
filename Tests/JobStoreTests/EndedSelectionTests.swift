import CSQLite
import JobCore
import JobStore
import TestKit
import Testing

@Suite struct EndedSelectionTests {
  /// What is given, and the index that leads to it.
  static let cases: [(outcome: Bool, definition: Bool, index: String)] = [
    (false, false, "jobs_ended"), (true, false, "jobs_ended_outcome"),
    (false, true, "jobs_ended_definition"), (true, true, "jobs_ended_definition"),
  ]

  @Test(arguments: cases, [false, true])
  func `a few of the ended jobs are found without a look at the others`(
    wanted: (outcome: Bool, definition: Bool, index: String), bounded: Bool
  ) throws {
    let selection = Store.endedSelection(
      outcome: wanted.outcome, definition: wanted.definition, since: bounded, before: bounded)
    try withSandbox { sandbox in
      let path = sandbox.path("jobrun.db")
      // The connection is closed again, so that the schema is in the file.
      _ = try Store(path: path)
      let plan = try plan(of: selection, in: path)
      #expect(plan.count == 1, "\(plan) sorts, or looks into more than one table")
      #expect(plan.first?.split(separator: " ").contains { $0 == wanted.index } ?? false, "\(plan)")
    }
  }

  @Test func `an outcome, a definition, or both are asked for, the newest end first`() throws {
    try withStore { store in
      for number in 1...12 as ClosedRange<UInt64> {
        var row = StoredJobs.ended(number, at: Int64(number) * 1000)
        row.outcome = number.isMultiple(of: 2) ? .failed : .succeeded
        row.definition = number.isMultiple(of: 3) ? "nightly" : nil
        try store.insert(row, specification: nil)
      }
      func numbers(_ outcome: Outcome?, _ definition: String?) throws -> [UInt64] {
        let before = EndedMark(endedMilliseconds: 12_000, number: JobNumber(12))
        return try store.endedJobs(
          outcome: outcome, definition: definition, since: 3000, before: before, limit: 3
        ).map(\.number.value)
      }
      #expect(try numbers(nil, nil) == [11, 10, 9])
      #expect(try numbers(.failed, nil) == [10, 8, 6])
      #expect(try numbers(nil, "nightly") == [9, 6, 3])
      #expect(try numbers(.succeeded, "nightly") == [9, 3])
    }
  }

  /// Some of that version have one of them already.
  @Test(arguments: ["", "DROP INDEX end_commands_number;"])
  func `a database of version 7 gets the indexes that it lacks`(lack: String) throws {
    try withSandbox { sandbox in
      let path = sandbox.path("jobrun.db")
      _ = try Store(path: path)
      try execute(
        lack + "DROP INDEX jobs_ended_outcome; DROP INDEX jobs_ended_definition;"
          + "PRAGMA user_version = 7", in: path)
      _ = try Store(path: path)
      for (selection, index) in [
        ("SELECT 1 FROM end_commands WHERE number = 1", "end_commands_number"),
        (
          Store.endedSelection(outcome: true, definition: false, since: false, before: false),
          "jobs_ended_outcome"
        ),
      ] {
        let plan = try plan(of: selection, in: path)
        #expect(plan.first?.contains(index) ?? false, "\(plan)")
      }
    }
  }

  private func execute(_ sql: String, in path: String) throws {
    var opened: OpaquePointer?
    try #require(unsafe sqlite3_open(path, &opened) == SQLITE_OK)
    let handle = unsafe opened
    defer { _ = unsafe sqlite3_close_v2(handle) }
    try #require(unsafe sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
  }

  /// How SQLite would go about it (sqlite.org/eqp.html).
  private func plan(of sql: String, in path: String) throws -> [String] {
    var opened: OpaquePointer?
    try #require(unsafe sqlite3_open(path, &opened) == SQLITE_OK)
    let handle = unsafe opened
    defer { _ = unsafe sqlite3_close_v2(handle) }
    var statement: OpaquePointer?
    try #require(
      unsafe sqlite3_prepare_v2(handle, "EXPLAIN QUERY PLAN " + sql, -1, &statement, nil)
        == SQLITE_OK)
    defer { _ = unsafe sqlite3_finalize(statement) }
    var lines: [String] = []
    while unsafe sqlite3_step(statement) == SQLITE_ROW {
      lines.append(unsafe String(cString: sqlite3_column_text(statement, 3)))
    }
    return lines
  }
}
