import CSQLite
import Foundation
import JobPage
import TestKit

/// One vacuum as the runner launches it: the real executable and a real page.
final class VacuumRun {
  let sandbox: Sandbox
  private let pagePath: String

  init() throws {
    sandbox = try Sandbox()
    pagePath = sandbox.root + "/page"
  }

  func vacuum(_ arguments: String...) throws -> ChildProcess.Finished { try vacuum(arguments) }

  func vacuum(_ arguments: [String]) throws -> ChildProcess.Finished {
    try? FileManager.default.removeItem(atPath: pagePath)
    try PageFile.create(pagePath, number: 12, attempt: 1)
    return try sandbox.run(
      "vacuum", arguments,
      environment: [
        "JOBRUN_PAGE": pagePath, "JOBRUN_IDENTIFIER": "io.jobrun.samples.vacuum.test",
        "JOBRUN_KIND": "processing",
      ])
  }

  func text(_ name: String) throws -> String {
    try String(contentsOfFile: sandbox.path(name), encoding: .utf8)
  }

  func page() throws -> PageSnapshot {
    var reader = try PageReader(path: pagePath)
    return reader.snapshot()
  }

  /// A database with mostly free pages.
  func makeWasteful(_ name: String, mode: String = "DELETE") throws {
    let path = sandbox.path(name)
    try FileManager.default.createDirectory(
      atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path,
      withIntermediateDirectories: true)
    try Opened(path).execute(
      """
      PRAGMA journal_mode = \(mode);
      CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
        INSERT INTO t SELECT i, hex(zeroblob(100)) FROM n;
      DELETE FROM t WHERE id % 10 <> 0;
      """)
  }

  /// The number of rows, and the sum of their identifiers.
  func rows(_ name: String) throws -> [Int64] {
    let opened = try Opened(sandbox.path(name))
    return [
      try opened.number("SELECT count(*) FROM t"), try opened.number("SELECT sum(id) FROM t"),
    ]
  }

  /// Writes nonsense over the middle of the table.
  func damage(_ name: String) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: sandbox.path(name)))
    try file.seek(toOffset: 4096)
    try file.write(contentsOf: Data(repeating: 0xA5, count: 8192))
    try file.close()
  }

  /// A writer in the middle of its work; the lock lasts as long as this lives.
  func lock(_ name: String) throws -> AnyObject {
    let opened = try Opened(sandbox.path(name))
    try opened.execute("BEGIN EXCLUSIVE")
    return opened
  }

  func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: sandbox.path(name)))
  }

  func size(_ name: String) throws -> Int { try bytes(name).count }
}

/// A database that the test itself has open.
@safe private final class Opened {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private let handle: OpaquePointer

  init(_ path: String) throws {
    var opened: OpaquePointer?
    let code = unsafe sqlite3_open(path, &opened)
    guard code == SQLITE_OK, let opened = unsafe opened else {
      throw Failure(description: "\(path) cannot be opened: \(code)")
    }
    unsafe handle = opened
  }

  deinit { _ = unsafe sqlite3_close_v2(handle) }

  func execute(_ sql: String) throws {
    guard unsafe sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
      throw Failure(description: unsafe String(cString: sqlite3_errmsg(handle)))
    }
  }

  func number(_ sql: String) throws -> Int64 {
    var statement: OpaquePointer?
    defer { _ = unsafe sqlite3_finalize(statement) }
    guard unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK,
      unsafe sqlite3_step(statement) == SQLITE_ROW
    else { throw Failure(description: unsafe String(cString: sqlite3_errmsg(handle))) }
    return unsafe sqlite3_column_int64(statement, 0)
  }
}
