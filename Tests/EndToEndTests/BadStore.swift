import Foundation
import Glibc
import JobCore
import JobPage
import JobStore
import JobWire
import LinuxSystem
import TestKit
import Testing

/// A store with a job in every state, whose values are then replaced by ones that nobody ever wrote, and
/// a real runner that is started on it.
struct BadStore {
  /// One column, by the name of its table, or one field of the jobs' records: `record.` and its path.
  struct Column: Hashable, Sendable, CustomTestStringConvertible {
    var table: String
    var name: String

    var testDescription: String { "\(table).\(name)" }
  }

  /// SQL literals by what they are.
  static let extremes = [
    ("the smallest", "-9223372036854775808"), ("the largest", "9223372036854775807"),
    ("nothing", "NULL"), ("minus one", "-1"), ("a fraction", "1e300"), ("a word", "'x'"),
    ("no text", "''"), ("bytes", "X'00ff0a'"),
    ("two million characters", "hex(zeroblob(1000000))"),
    ("no UTF-8", "CAST(X'66ff80c3fe' AS TEXT)"),
  ]

  private static let mark = "abcdefghijklmnop"
  private let sandbox: Sandbox
  var state: String { sandbox.home + "/state" }
  private var database: String { state + "/jobrun.db" }

  init(_ sandbox: Sandbox) throws {
    self.sandbox = sandbox
    for folder in ["", "/runs", "/logs", "/state"] {
      try FileManager.default.createDirectory(
        atPath: state + folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    }
    let store = try Store(path: database)
    try store.transaction(.normal) { () throws(StoreError) in
      for row in Self.rows {
        try store.insert(row, specification: row.host == nil ? Self.specification : nil)
        _ = try store.append(
          eventAt: 1, number: row.number, kind: "submitted", job: Array("{\"number\":1}".utf8))
      }
      _ = try store.addEndCommand(
        of: JobNumber(3), "true", variables: Array("JOBRUN_OUTCOME=failed\0".utf8))
      try store.saveBootID(Boot.identifier())
    }
  }

  /// All columns of a store as it is made now, with what SQLite itself keeps there.
  static func columns() throws -> [Column] {
    try withSandbox { sandbox in
      let bad = try BadStore(sandbox)
      let told = try bad.sqlite(
        "SELECT t.name, c.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c"
          + " WHERE t.type = 'table' ORDER BY t.name, c.cid")
      let columns = told.split(separator: "\n").compactMap { line -> Column? in
        let words = line.split(separator: "|").map { String($0) }
        return words.count == 2 ? Column(table: words[0], name: words[1]) : nil
      }
      let fields = try bad.sqlite(
        "SELECT DISTINCT substr(f.fullkey, 3) FROM jobs, json_tree(record) f"
          + " WHERE f.fullkey LIKE '$.%' AND f.fullkey NOT LIKE '%[%' ORDER BY 1")
      return columns
        + fields.split(separator: "\n").map { Column(table: "jobs", name: "record.\($0)") }
    }
  }

  /// Writes `literal` into every row, whatever the table's rules say.
  func write(_ literal: String, to column: Column) throws {
    if column.name.hasPrefix("record.") {
      let path = "$." + column.name.dropFirst("record.".count)
      try sqlite("UPDATE jobs SET record = json_replace(record, '\(path)', \(literal))")
      return
    }
    try sqlite(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(replace(replace(sql, ' NOT NULL', ''),
        'STRICT, WITHOUT', 'WITHOUT'), ') STRICT', ')')
        WHERE type = 'table' AND name NOT LIKE 'sqlite%';
      PRAGMA writable_schema = RESET;
      UPDATE OR IGNORE \(column.table) SET \(column.name) = \(literal);
      """)
  }

  @discardableResult
  func sqlite(_ sql: String) throws -> String {
    let finished = try sandbox.run("sqlite3", [database, sql])
    // A key that takes numbers alone refuses the rest, and then all is as it was.
    #expect(
      finished.status == 0 || finished.errors.contains("mismatch")
        || finished.errors.contains("constraint") || finished.errors.contains("JSON"),
      "\(finished.errors)")
    return finished.output
  }

  /// Starts a runner, asks it everything, and tells it to leave; how it ended.
  func serve() throws -> TestKit.ChildProcess.Finished {
    let runner = try sandbox.start("jobrund")
    let client = try connected(to: runner)
    if let client {
      var requests: [Request] = [.list(all: true), .list(all: false), .history(HistoryQuery())]
      requests += (1...UInt64(Self.rows.count)).map { .show(.number(JobNumber($0))) }
      requests += [
        .cancel(.one(.number(JobNumber(1))), now: true), .feed(since: 0, progressHertz: 10),
      ]
      requests += [.redo(.number(JobNumber(3))), .forget(.number(JobNumber(2)))]
      requests += [.resources(), .status]
      var bytes: [UInt8] = []
      for (index, request) in requests.enumerated() {
        RequestLine(id: UInt64(index + 1), request).append(to: &bytes)
      }
      // One that died of it is known by its end.
      try? client.connection.sendAll(bytes)
      while let line = try? client.line(), !line.contains("\"id\":\(requests.count),") {}
    }
    if runner.isRunning { runner.signal(SIGTERM) }
    return try runner.wait(within: .seconds(60))
  }

  /// Nil when the runner ends instead.
  private func connected(to runner: TestKit.ChildProcess) throws -> ProtocolTests.RawClient? {
    let socket = sandbox.home + "/run/socket"
    let deadline = Deadline(within: .seconds(60))
    while runner.isRunning, !deadline.hasPassed {
      if let connection = try? UnixConnection(connectingTo: socket) {
        return ProtocolTests.RawClient(connection)
      }
      _ = try? Poll.wait([], until: AwakeClock.now() + 1_000_000)
    }
    return nil
  }

  private static var specification: [UInt8] {
    LaunchSpecification(
      directory: Array("/".utf8), arguments: [Array("/bin/true".utf8)], environment: []
    ).encoded()
  }
}

// A job in every state.
extension BadStore {
  private static func row(_ number: UInt64, _ state: JobState = .accepted) -> JobRecord {
    guard let identifier = JobIdentifier("org.example.bad.n\(number)") else {
      preconditionFailure("the identifier is well-formed")
    }
    var submission = Submission(
      key: "\(mark)\(number)", identifier: identifier, speaksPage: false)
    submission.options.grace = .milliseconds(1)
    var row = JobRecord(
      number: JobNumber(number), submission: submission, title: "Job \(number)",
      submittedMilliseconds: WallClock.now())
    row.state = state
    if !row.isQueued { row.attempt = 1 }
    if state.outcome != nil { row.endedMilliseconds = WallClock.now() }
    return row
  }

  private static var rows: [JobRecord] {
    let now = Instant(nanoseconds: AwakeClock.now())
    let stopping = JobState.stopping(
      StopReason(.user, "it was cancelled"), deadline: now + .seconds(10))
    let retried = JobState.queued(PendingReason(.retry, "it failed"))
    var rows = [row(1), row(2, .ended(.succeeded, nil)), row(3, .ended(.failed, nil))]
    rows += [row(4, .running), row(5, .stalled(since: now)), row(6, stopping), row(7, retried)]
    rows += [row(8), row(9, .ended(.succeeded, nil)), row(10), row(11), row(12, .launching)]
    rows += [row(13), row(14, .running), row(15, .paused(Pause(since: now)))]
    rows[2].details.onEnd = "true"
    rows[3].progress = JobProgress(completed: 1, total: 9, unit: .items, source: .page)
    rows[3].runningSince = now
    rows[3].gpus = ["GPU-1"]
    rows[3].submission.options.limit = .minutes(60)
    rows[6].delay = JobRecord.Delay(
      until: now + .minutes(60), untilMilliseconds: WallClock.now() + 3_600_000)
    rows[7].submission.options.kind = .processing
    rows[7].submission.bundle = JobIdentifier("org.example.bad")
    rows[7].submission.notBefore = WallTime(milliseconds: WallClock.now() + 3_600_000)
    for index in [8, 9] {
      rows[index].host = JobHost(mark: mark, pid: 1, startTime: 1)
      rows[index].submission.isHosted = true
    }
    rows[8].lingers = true
    rows[10].submission.after = [Prerequisite(JobNumber(7))]
    // It is launched at once, and plans its next run.
    rows[12].submission.notBefore = WallTime(milliseconds: WallClock.now() - 3_600_000)
    rows[12].details.recurrence = Recurrence(every: .days(1), minuteOfDay: 180)
    rows[13].submission.options.engine = "tower"
    (rows[13].engineJob, rows[13].node) = ("7", "n1")
    rows[14].pausedMilliseconds = WallClock.now()
    (rows[14].paused, rows[14].pausedFor) = (.seconds(1), .seconds(1))
    rows[14].spent = .seconds(1)
    rows[14].stallTimeout = .seconds(60)
    rows[14].submission.options.silentAfter = .seconds(60)
    rows[14].submission.options.retryDelay = .seconds(60)
    rows[14].submission.options.retries = 1
    return rows
  }
}
