import CSQLite

/// One open database file, used by one thread; statements keep it open.
@safe final class Connection {
  private let handle: OpaquePointer

  /// Opens the file at `path`, or creates it with `isMaking`; reads and writes nothing yet.
  init(path: String, isMaking: Bool) throws(StoreError) {
    var opened: OpaquePointer?
    var flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    if isMaking { flags |= SQLITE_OPEN_CREATE }
    let code = unsafe sqlite3_open_v2(path, &opened, flags, nil)
    guard let opened = unsafe opened else {
      throw .inputOutput(
        StoreError.Failure(operation: "opening \(path)", code: code, message: "out of memory"))
    }
    unsafe handle = opened
    // All stored properties are set: from here on `deinit` closes the handle, also when this throws.
    guard code == SQLITE_OK else { throw failure("opening \(path)", code) }
    // A runner that exits holds the file for a moment more.
    _ = unsafe sqlite3_busy_timeout(handle, 1000)
    // From the first read on, the file belongs to this process alone, whatever happens to other locks; and
    // the index of the log is not in a shared file, which others could truncate.
    try execute("PRAGMA locking_mode = EXCLUSIVE", for: "locking \(path)")
  }

  deinit {
    // Waits for the last statement; then it also checkpoints and removes the log.
    _ = unsafe sqlite3_close_v2(handle)
  }

  /// Whether no transaction is open; SQLite ends one by itself after some errors.
  var isIdle: Bool { unsafe sqlite3_get_autocommit(handle) != 0 }

  /// The number of rows that the last statement changed.
  var changes: Int { Int(unsafe sqlite3_changes64(handle)) }

  var lastInserted: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

  func giveBackMemory() { _ = unsafe sqlite3_db_release_memory(handle) }

  /// Runs statements without parameters and results.
  func execute(_ sql: String, for operation: String) throws(StoreError) {
    jobrun_clear_errno()
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(operation, code) }
  }

  func prepare(_ sql: String, for operation: String) throws(StoreError) -> Statement {
    var prepared: OpaquePointer?
    jobrun_clear_errno()
    let code = unsafe sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared = unsafe prepared else {
      let failure = failure(operation, code)
      // The SQL itself is right, so the tables are not what their version says.
      if case .misuse(let what) = failure, code == SQLITE_ERROR { throw .corrupt(what) }
      throw failure
    }
    return unsafe Statement(prepared, of: self)
  }

  /// The single integer that `sql` yields; nil when it yields none.
  func number(_ sql: String, for operation: String) throws(StoreError) -> Int64? {
    let statement = try prepare(sql, for: operation)
    guard try statement.step(for: operation) else { return nil }
    let number = statement.number()
    try statement.check(for: operation)
    return number
  }

  /// The typed error for SQLite's last answer.
  func failure(_ operation: String, _ code: Int32) -> StoreError {
    let lastErrno = jobrun_errno()
    let failure = StoreError.Failure(
      operation: operation, code: code, message: unsafe String(cString: sqlite3_errmsg(handle)))
    switch code & 0xFF {
    case SQLITE_NOTADB: return .foreign("it is not an SQLite database")
    case SQLITE_CORRUPT: return isUnreadable(lastErrno) ? .inputOutput(failure) : .corrupt(failure)
    case SQLITE_FULL: return .full(failure)
    case SQLITE_READONLY: return .readOnly(failure)
    case SQLITE_BUSY, SQLITE_LOCKED: return .busy(failure)
    case SQLITE_IOERR: return isDiskFull(lastErrno) ? .full(failure) : .inputOutput(failure)
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_NOMEM: return .inputOutput(failure)
    case SQLITE_CONSTRAINT: return .constraint(failure)
    default: return .misuse(failure)
    }
  }

  /// SQLite reports a failed read as damage; the errno behind it tells them apart (EIO 5, ENXIO 6, ERANGE
  /// 34): the read may succeed later, and the file must not be abandoned for it.
  private func isUnreadable(_ lastErrno: Int32) -> Bool { [5, 6, 34].contains(lastErrno) }

  /// SQLite reports a write to a full disk as a plain I/O error; the errno behind it tells (ENOSPC 28,
  /// EDQUOT 122), as it does for a limit on sizes (EFBIG 27).
  private func isDiskFull(_ lastErrno: Int32) -> Bool {
    let system = unsafe sqlite3_system_errno(handle)
    return [27, 28, 122].contains(system == 0 ? lastErrno : system)
  }
}
