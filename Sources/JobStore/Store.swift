/// The runner's memory: one row per job and an append-only table of events, in SQLite.
///
/// Used by one thread. Every change belongs into a transaction: `transaction(_:_:)`, or
/// `begin(_:)` … `commit()` around one turn of the loop. An error inside means `rollback()`.
package final class Store {
  /// How safe a transaction must be when it returns.
  package enum Durability: Sendable {
    /// On the disk: acceptance, launch intent, outcome.
    case full
    /// Safe against a crash of the runner, not of the machine: the rest.
    case normal
  }

  private let path: String
  private let bytesLimit: Int
  /// Nil between `close()` and `reopen()`.
  private var connection: Connection?
  private var statements: [String: Statement] = [:]
  private var durability: Durability?

  /// Called when damage is found, outside of any transaction; true when the store is repaired, so that the
  /// failed operation is repeated.
  package var mend: ((StoreError) -> Bool)?
  private var isMending = false
  private var isInTransaction = false

  /// Opens or makes the database at `path`, migrating it when it is older.
  ///
  /// While it is open, no other process can use it. `bytesLimit`: the maximum size of the file; 0 =
  /// unlimited.
  /// - Throws: when `needsFileMovedAside`, rename `Store.files(of:)` and open again; `busy` while another
  ///   process has it open.
  package init(path: String, bytesLimit: Int = 0) throws(StoreError) {
    self.path = path
    self.bytesLimit = bytesLimit
    connection = try Self.open(path, bytesLimit, isMaking: true)
  }

  private static func open(
    _ path: String, _ bytesLimit: Int, isMaking: Bool
  ) throws(StoreError) -> Connection {
    let connection = try Connection(path: path, isMaking: isMaking)
    try connection.adoptSchema(isMaking: isMaking)
    if bytesLimit > 0 {
      try connection.execute(
        "PRAGMA max_page_count = \(max(1, bytesLimit / 4096))", for: "limiting the database")
    }
    return connection
  }

  /// Closes the file, so that another can take its place; until `reopen()` every operation fails.
  package func close() {
    statements = [:]
    durability = nil
    connection = nil
  }

  /// Opens the current file at the path; never makes an empty store in place of one that existed.
  package func reopen() throws(StoreError) {
    close()
    connection = try Self.open(path, bytesLimit, isMaking: false)
  }

  private func opened() throws(StoreError) -> Connection {
    if let connection { return connection }
    throw .inputOutput(
      StoreError.Failure(
        operation: "using \(path)", code: 0, message: "it has not been replaced yet"))
  }

  /// Writes the whole content of the store into a new file, also when the open file was moved or removed.
  package func copy(to other: String) throws(StoreError) {
    let quoted = other.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "''")
    try opened().execute("VACUUM INTO '\(quoted)'", for: "copying the database")
  }

  /// Whether freed pages are overwritten with zeros; within a page deleted bytes always are.
  func overwriteDeleted(_ isOn: Bool) throws(StoreError) {
    try opened().execute(
      "PRAGMA secure_delete = \(isOn ? "ON" : "FAST")", for: "overwriting what is deleted")
  }

  /// Copies the log into the database and empties it.
  package func emptyLog() throws(StoreError) {
    try opened().execute("PRAGMA wal_checkpoint(TRUNCATE)", for: "emptying the log")
  }

  /// Releases unused memory.
  package func giveBackMemory() { connection?.giveBackMemory() }

  /// The files that belong to the database at `path`, whether they exist or not.
  package static func files(of path: String) -> [String] { [path, path + "-wal", path + "-shm"] }

  /// The write-ahead log of the database at `path`; it exists while the store is open.
  package static func writeAheadLog(of path: String) -> String { path + "-wal" }

  /// The size of the log when idle.
  package static let logBytes = 4 << 20

  /// The new name for the file of a broken database.
  package static func brokenName(of file: String, timestamp: String) -> String {
    "\(file).broken-\(timestamp)"
  }

  // MARK: Transactions

  /// Opens a transaction; everything until `commit()` happens together or not at all.
  package func begin(_ wanted: Durability) throws(StoreError) {
    let connection = try opened()
    guard connection.isIdle else {
      throw .misuse(
        StoreError.Failure(operation: "beginning", code: 0, message: "a transaction is open"))
    }
    if durability != wanted {
      // In WAL mode NORMAL never waits for the disk at a commit, FULL always does.
      let level = wanted == .full ? "FULL" : "NORMAL"
      try connection.execute("PRAGMA synchronous = \(level)", for: "setting the durability")
      durability = wanted
    }
    try run("BEGIN IMMEDIATE", for: "beginning a transaction")
    isInTransaction = true
  }

  /// Makes the changes since `begin` durable.
  package func commit() throws(StoreError) {
    try run("COMMIT", for: "committing")
    isInTransaction = false
  }

  /// Undoes the changes since `begin`.
  package func rollback() {
    // SQLite rolls back by itself after some errors; and a failed rollback leaves nothing to do.
    if connection?.isIdle == false { try? run("ROLLBACK", for: "undoing") }
    isInTransaction = false
  }

  /// All changes in `body`, or none of them; `body` is called again when damage was found and repaired.
  package func transaction<Result>(
    _ durability: Durability, _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    do throws(StoreError) {
      return try attempt(durability, body)
    } catch {
      guard mended(error) else { throw error }
      return try attempt(durability, body)
    }
  }

  private func attempt<Result>(
    _ durability: Durability, _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try begin(durability)
    do throws(StoreError) {
      let result = try body()
      try commit()
      return result
    } catch {
      rollback()
      throw error
    }
  }

  /// Whether `error` was damage that has been repaired, so that it is worth trying again.
  private func mended(_ error: StoreError) -> Bool {
    guard error.needsFileMovedAside, !isMending, !isInTransaction, let mend else { return false }
    isMending = true
    defer { isMending = false }
    return mend(error)
  }

  // MARK: Statements

  /// The number of rows that the last change touched.
  var changes: Int { connection?.changes ?? 0 }

  var lastInserted: Int64 { connection?.lastInserted ?? 0 }

  /// Runs one cached statement to its end.
  func run(
    _ sql: String, for operation: String, binding: (Statement) -> Void = { _ in }
  ) throws(StoreError) {
    _ = try rows(sql, for: operation, binding: binding) { _ in () }
  }

  /// The rows of one cached statement, read one by one.
  func rows<Row>(
    _ sql: String, for operation: String, binding: (Statement) -> Void = { _ in },
    reading: (Statement) throws(StoreError) -> Row
  ) throws(StoreError) -> [Row] {
    do throws(StoreError) {
      return try read(sql, operation, binding, reading)
    } catch {
      guard mended(error) else { throw error }
      return try read(sql, operation, binding, reading)
    }
  }

  private func read<Row>(
    _ sql: String, _ operation: String, _ binding: (Statement) -> Void,
    _ reading: (Statement) throws(StoreError) -> Row
  ) throws(StoreError) -> [Row] {
    let statement = try cached(sql, operation)
    defer { statement.reset() }
    binding(statement)
    var rows: [Row] = []
    while try statement.step(for: operation) {
      rows.append(try reading(statement))
      try statement.check(for: operation)
    }
    return rows
  }

  private func cached(_ sql: String, _ operation: String) throws(StoreError) -> Statement {
    if let statement = statements[sql] { return statement }
    let statement = try opened().prepare(sql, for: operation)
    statements[sql] = statement
    return statement
  }
}
