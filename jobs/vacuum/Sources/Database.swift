internal import BackgroundTasks
internal import CSQLite
internal import JobFiles

/// Why a database cannot be checked or shrunk.
enum DatabaseProblem: Error, Hashable {
  /// The task is to stop.
  case interrupted
  /// Another program reads or writes it.
  case busy
  case damaged(String)
  case other(String)
}

/// One SQLite database that exists; used by one thread.
@safe final class Database {
  private let handle: OpaquePointer

  /// The number of SQLite's virtual machine steps between two checks for a stop request.
  private static let stepsPerLook: Int32 = 20_000

  /// Opens the database; refuses a link, and creates nothing.
  init(_ path: BytePath) throws(DatabaseProblem) {
    var opened: OpaquePointer?
    let flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOFOLLOW
    let code = unsafe path.withCString { unsafe sqlite3_open_v2($0, &opened, flags, nil) }
    guard let opened = unsafe opened else { throw .other("there is too little memory") }
    unsafe handle = opened
    // All stored properties are set: from here on `deinit` closes the handle, also when this throws.
    guard code == SQLITE_OK else { throw problem(code) }
    unsafe sqlite3_progress_handler(
      handle, Self.stepsPerLook,
      { _ in
        BGTask.current?.reportAlive()
        return Task.isCancelled ? 1 : 0
      }, nil)
  }

  deinit {
    _ = unsafe sqlite3_close_v2(handle)
  }

  /// The first finding of `PRAGMA integrity_check`; nil when there is none.
  func fault() throws(DatabaseProblem) -> String? {
    let answer = try text("PRAGMA integrity_check(1)")
    return answer == "ok" ? nil : answer
  }

  /// Whether the file has unused pages.
  func hasUnusedPages() throws(DatabaseProblem) -> Bool {
    try text("PRAGMA freelist_count") != "0"
  }

  /// Writes the database anew without its unused pages, completely or not at all, and checks it.
  func vacuum() throws(DatabaseProblem) {
    _ = try text("VACUUM")
    // In write-ahead mode the file shrinks only when the log has been copied into it.
    _ = try text("PRAGMA wal_checkpoint(TRUNCATE)")
    if let fault = try fault() { throw .damaged(fault) }
  }

  /// Runs a statement; returns the text of its first column, empty when there is none.
  private func text(_ sql: String) throws(DatabaseProblem) -> String {
    var statement: OpaquePointer?
    var code = unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    defer { _ = unsafe sqlite3_finalize(statement) }
    var text = ""
    while code == SQLITE_OK || code == SQLITE_ROW {
      code = unsafe sqlite3_step(statement)
      guard code == SQLITE_ROW, text.isEmpty, let column = unsafe sqlite3_column_text(statement, 0)
      else { continue }
      text = unsafe String(cString: column)
    }
    guard code == SQLITE_DONE else { throw problem(code) }
    return text
  }

  private func problem(_ code: Int32) -> DatabaseProblem {
    let reason = unsafe String(cString: sqlite3_errmsg(handle))
    return switch code & 0xFF {
    case SQLITE_INTERRUPT: .interrupted
    case SQLITE_BUSY, SQLITE_LOCKED: .busy
    case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged(reason)
    default: .other(reason)
    }
  }
}
