import CSQLite
import JobCore
import JobStore
import JobWire
import TestKit
import Testing

@Suite struct EndedSelectionTests {
  /// The criteria, and the index that must be used.
  static let cases: [(outcome: Bool, definition: Bool, index: String)] = [
    (false, false, "jobs_ended"), (true, false, "jobs_ended_outcome"),
    (false, true, "jobs_ended_definition"), (true, true, "jobs_ended_definition"),
  ]

  @Test(arguments: cases, [false, true])
  func `a few of the ended jobs are found without a look at the others`(
    wanted: (outcome: Bool, definition: Bool, index: String), bounded: Bool
  ) throws {
    var filter = EndedFilter(
      outcome: wanted.outcome ? .failed : nil, definition: wanted.definition ? "x" : nil,
      since: bounded ? 0 : nil)
    filter.until = bounded ? 1 : nil
    filter.title = bounded ? "x" : nil
    let selection = Store.endedSelection(filter, before: bounded)
    try withSandbox { sandbox in
      let path = sandbox.path("jobrun.db")
      // The connection is closed again, so that the schema is in the file.
      _ = try Store(path: path)
      let plan = try plan(of: selection, in: path)
      #expect(plan.count == 1, "\(plan) sorts, or looks into more than one table")
      #expect(plan.first?.split(separator: " ").contains { $0 == wanted.index } ?? false, "\(plan)")
    }
  }

  @Test func `those of a group are found without a look at the others`() throws {
    try withSandbox { sandbox in
      let path = sandbox.path("jobrun.db")
      _ = try Store(path: path)
      let plan = try plan(of: Store.groupSelection, in: path)
      #expect(plan.count == 1 && plan[0].contains("jobs_group"), "\(plan)")
    }
    try withStore { store in
      for number in 1...9 as ClosedRange<UInt64> {
        var row = StoredJobs.ended(number, at: Int64(number) * 1000)
        row.submission.options.group = number.isMultiple(of: 3) ? GroupName("render") : nil
        try store.insert(row, specification: nil)
      }
      func numbers(_ name: String, after: UInt64) throws -> [UInt64] {
        let group = try #require(GroupName(name))
        return try store.jobs(of: group, after: JobNumber(after), limit: 2).map(\.number.value)
      }
      #expect(try numbers("render", after: 0) == [3, 6])
      #expect(try numbers("render", after: 6) == [9])
      #expect(try numbers("none", after: 0).isEmpty)
    }
  }

  @Test func `an outcome, a definition, or both are asked for, the newest end first`() throws {
    try withStore { store in
      for number in 1...12 as ClosedRange<UInt64> {
        var row = StoredJobs.ended(number, at: Int64(number) * 1000)
        row.state = .ended(number.isMultiple(of: 2) ? .failed : .succeeded, nil)
        row.definition = number.isMultiple(of: 3) ? "nightly" : nil
        try store.insert(row, specification: nil)
      }
      func numbers(_ outcome: Outcome?, _ definition: String?) throws -> [UInt64] {
        let before = EndedMark(endedMilliseconds: 12_000, number: JobNumber(12))
        let filter = EndedFilter(outcome: outcome, definition: definition, since: 3000)
        return try store.endedJobs(filter, before: before, limit: 3).map(\.number.value)
      }
      #expect(try numbers(nil, nil) == [11, 10, 9])
      #expect(try numbers(.failed, nil) == [10, 8, 6])
      #expect(try numbers(nil, "nightly") == [9, 6, 3])
      #expect(try numbers(.succeeded, "nightly") == [9, 3])
    }
  }

  @Test(arguments: [
    ("trip", ["Trip 2026", "a trip"]), ("100%", ["100% done"]), ("a_b", ["a_b"]), ("!", ["wow!"]),
    ("écl", ["Éclair, écl"]), ("", ["wow!", "axb", "a_b", "100% done"]), ("' OR 1", []),
  ])
  func `a part of the title is looked for as it is written`(
    part: String, found: [String]
  ) throws {
    try withStore { store in
      let titles = ["Trip 2026", "Éclair, écl", "a trip", "100% done", "a_b", "axb", "wow!"]
      for (index, title) in titles.enumerated() {
        var row = StoredJobs.ended(UInt64(index + 1), at: Int64(index) * 1000)
        row.title = title
        try store.insert(row, specification: nil)
      }
      var filter = EndedFilter()
      filter.title = part
      let rows = try store.endedJobs(filter, before: nil, limit: 4)
      #expect(Set(rows.map(\.title)) == Set(found))
    }
  }

  @Test func `until leaves out what ended at that instant and later`() throws {
    try withStore { store in
      for number in 1...4 as ClosedRange<UInt64> {
        try store.insert(StoredJobs.ended(number, at: Int64(number) * 1000), specification: nil)
      }
      var filter = EndedFilter(since: 2000)
      filter.until = 4000
      let rows = try store.endedJobs(filter, before: nil, limit: 9)
      #expect(rows.map(\.number.value) == [3, 2])
    }
  }

  @Test func `the lengths of runs are those of the same jobs, however they are paged`() throws {
    try withStore { store in
      for number in 1...9 as ClosedRange<UInt64> {
        var row = StoredJobs.ended(number, at: Int64(number / 3) * 1_000)
        row.definition = number == 9 ? "other" : "nightly"
        if number % 3 == 0 { row.state = .ended(.failed, nil) }
        row.startedMilliseconds = Int64(number / 3) * 1_000 - 700
        // Never began; paused; a clock that was set back; and a time that no clock shows.
        if number == 1 { row.startedMilliseconds = nil }
        if number == 2 { row.pausedFor = .milliseconds(300) }
        if number == 3 { row.startedMilliseconds = 9_000 }
        if number == 4 { row.startedMilliseconds = .min }
        try store.insert(row, specification: nil)
      }
      try store.insert(StoredJobs.plain(10), specification: nil)
      let filter = EndedFilter(definition: "nightly")
      let jobs = try store.endedJobs(filter, before: nil, limit: 100)
      for limit in [1, 2, 100] {
        var (runs, before): ([EndedRun], EndedMark?) = ([], nil)
        while true {
          let page = try store.endedRuns(filter, before: before, limit: limit)
          runs += page
          before = page.last?.mark
          if page.count < limit { break }
        }
        #expect(runs.map(\.mark.number) == jobs.map(\.number))
        #expect(runs.map(\.outcome) == jobs.map(\.state.outcome))
        #expect(runs.map(\.milliseconds) == [700, 700, 700, 700, 9_000_000_000_000_000, 0, 400, 0])
      }
    }
  }

  @Test
  func `what bundles have used is told in the order of the ends, of a push also whose it was`()
    throws
  {
    try withStore { store in
      func insert(
        _ number: UInt64, _ kind: Submission.Kind, started: Int64?, ended: Int64,
        _ change: (inout JobRecord) -> Void = { _ in }
      ) throws {
        var row = StoredJobs.ended(number, at: ended)
        row.submission.options.kind = kind
        row.submission.bundle = JobIdentifier("io.jobrun.test")
        row.startedMilliseconds = started
        change(&row)
        try store.insert(row, specification: nil)
      }
      try insert(1, .push, started: 8_000, ended: 9_000) { $0.use.cpuMicroseconds = 5_000 }
      try insert(2, .refresh, started: 5_000, ended: 6_000)
      // Never started: its own failure counts, a person's request does not.
      try insert(3, .processing, started: nil, ended: 7_000) { $0.state = .ended(.failed, nil) }
      try insert(4, .push, started: nil, ended: 7_500) { $0.state = .ended(.cancelled, nil) }
      try insert(5, .continued, started: 7_000, ended: 8_000)
      try insert(6, .push, started: 7_000, ended: 8_000) { $0.submission.bundle = nil }
      try insert(7, .push, started: 3_000, ended: 4_999)
      try insert(8, .push, started: 8_000, ended: 9_500) { $0.state = .running }
      let uses = try store.uses(since: WallTime(milliseconds: 5_000))
      #expect(
        uses.map { $0.isPush ? $0.identifier?.text : nil } == [nil, nil, "io.jobrun.test.n1"])
      #expect(uses.map(\.startedAt.milliseconds) == [5_000, 7_000, 8_000])
      #expect(uses.map(\.endedAt.milliseconds) == [6_000, 7_000, 9_000])
      #expect(uses.map(\.end) == [.good, .bad, .good])
      #expect(uses.last?.processorTime == .milliseconds(5))
      #expect(uses.allSatisfy { $0.bundle.text == "io.jobrun.test" })
    }
  }

  @Test(arguments: [
    (Store.useSelection, "jobs_use"),
    ("SELECT 1 FROM end_commands WHERE number = 1", "end_commands_number"),
  ])
  func `an index leads to what is due, and to what bundles have used`(
    selection: String, index: String
  ) throws {
    try withSandbox { sandbox in
      let path = sandbox.path("jobrun.db")
      _ = try Store(path: path)
      let plan = try plan(of: selection, in: path)
      #expect(plan.first?.contains(index) ?? false, "\(plan)")
    }
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
