import CSQLite

/// One open database file, used by one thread; statements keep it open.
@safe final class Connection {
  private let handle: OpaquePointer

  /// Opens the file at `path`, with `isMaking` also where there is none; nothing is read or written yet.
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
    // All stored properties are set: from here `deinit` closes the handle, also when this throws.
    guard code == SQLITE_OK else { throw failure("opening \(path)", code) }
    // A runner that leaves holds the file for a moment more.
    _ = unsafe sqlite3_busy_timeout(handle, 1000)
    // From its first look on, the file is this process's alone, whatever becomes of other locks; and
    // no index of the log is shared through a file that others could cut short below us.
    try execute("PRAGMA locking_mode = EXCLUSIVE", for: "locking \(path)")
  }

  deinit {
    // Waits for the last statement; then it also checkpoints and removes the log.
    _ = unsafe sqlite3_close_v2(handle)
  }

  /// Whether no transaction is open; SQLite ends one by itself after some errors.
  var isIdle: Bool { unsafe sqlite3_get_autocommit(handle) != 0 }

  /// Rows the last statement changed.
  var changes: Int { Int(unsafe sqlite3_changes64(handle)) }

  var lastInserted: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

  func giveBackMemory() { _ = unsafe sqlite3_db_release_memory(handle) }

  /// Runs statements that take and give nothing.
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
      // Our own words are right: the tables are not what their version says.
      if case .misuse(let what) = failure, code == SQLITE_ERROR { throw .corrupt(what) }
      throw failure
    }
    return unsafe Statement(prepared, of: self)
  }

  /// The one whole number that `sql` yields; nil when it yields none.
  func number(_ sql: String, for operation: String) throws(StoreError) -> Int64? {
    let statement = try prepare(sql, for: operation)
    guard try statement.step(for: operation) else { return nil }
    let number = statement.number()
    try statement.check(for: operation)
    return number
  }

  /// The typed error of what SQLite just answered.
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

  /// A read that failed is reported as damage; the errno behind it tells (EIO 5, ENXIO 6, ERANGE 34): it may
  /// succeed later, and what is there is not to be given up for it.
  private func isUnreadable(_ lastErrno: Int32) -> Bool { [5, 6, 34].contains(lastErrno) }

  /// A write that found no room is reported as a plain I/O error; the errno behind it tells (ENOSPC 28,
  /// EDQUOT 122), as it does of a limit on sizes (EFBIG 27).
  private func isDiskFull(_ lastErrno: Int32) -> Bool {
    let system = unsafe sqlite3_system_errno(handle)
    return [27, 28, 122].contains(system == 0 ? lastErrno : system)
  }
}
