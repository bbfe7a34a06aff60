/// The runner's memory: one row per job and an append-only table of events, in SQLite.
///
/// Used by one thread. Every change belongs into a transaction: `transaction(_:_:)`, or
/// `begin(_:)` … `commit()` around one turn of the loop. An error inside means `rollback()`.
package final class Store {
  /// How sure a transaction must be when it returns.
  package enum Durability: Sendable {
    /// On the disk: acceptance, launch intent, outcome.
    case full
    /// Safe against a crash of the runner, not of the machine: the rest.
    case normal
  }

  private let connection: Connection
  private var statements: [String: Statement] = [:]
  private var durability: Durability?

  /// Opens or makes the database at `path`, migrating it when it is older.
  ///
  /// `bytesLimit`: the most that the file may grow to; 0 = what the disk has.
  /// - Throws: when `needsFileMovedAside`, rename `Store.files(of:)` and open again.
  package init(path: String, bytesLimit: Int = 0) throws(StoreError) {
    connection = try Connection(path: path)
    try connection.adoptSchema()
    if bytesLimit > 0 {
      try connection.execute(
        "PRAGMA max_page_count = \(max(1, bytesLimit / 4096))", for: "limiting the database")
    }
  }

  /// The files that belong to the database at `path`, whether they exist or not.
  package static func files(of path: String) -> [String] { [path, path + "-wal", path + "-shm"] }

  /// The write-ahead log of the database at `path`; it is there as long as the store is open.
  package static func writeAheadLog(of path: String) -> String { path + "-wal" }

  /// How large the log is while nothing happens.
  package static let logBytes = 4 << 20

  /// The name that a broken database's file gets.
  package static func brokenName(of file: String, timestamp: String) -> String {
    "\(file).broken-\(timestamp)"
  }

  // MARK: Transactions

  /// Opens a transaction; all until `commit()` happens together or not at all.
  package func begin(_ wanted: Durability) throws(StoreError) {
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
  }

  /// Makes what happened since `begin` durable.
  package func commit() throws(StoreError) {
    try run("COMMIT", for: "committing")
  }

  /// Undoes what happened since `begin`.
  package func rollback() {
    // SQLite undoes by itself after some errors; and an undo that fails leaves nothing to do.
    if !connection.isIdle { try? run("ROLLBACK", for: "undoing") }
  }

  /// All changes in `body`, or none of them.
  package func transaction<Result>(
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

  // MARK: Statements

  /// Rows that the last change touched.
  var changes: Int { connection.changes }

  var lastInserted: Int64 { connection.lastInserted }

  /// Runs one cached statement to its end.
  func run(
    _ sql: String, for operation: String, binding: (Statement) -> Void = { _ in }
  ) throws(StoreError) {
    let statement = try cached(sql, operation)
    defer { statement.reset() }
    binding(statement)
    while try statement.step(for: operation) {}
  }

  /// The rows of one cached statement, read one by one.
  func rows<Row>(
    _ sql: String, for operation: String, binding: (Statement) -> Void = { _ in },
    reading: (Statement) throws(StoreError) -> Row
  ) throws(StoreError) -> [Row] {
    let statement = try cached(sql, operation)
    defer { statement.reset() }
    binding(statement)
    var rows: [Row] = []
    while try statement.step(for: operation) { rows.append(try reading(statement)) }
    return rows
  }

  private func cached(_ sql: String, _ operation: String) throws(StoreError) -> Statement {
    if let statement = statements[sql] { return statement }
    let statement = try connection.prepare(sql, for: operation)
    statements[sql] = statement
    return statement
  }
}
