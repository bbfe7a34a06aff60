package import JobCore

/// What a job executes, as it is stored.
package struct StoredSpecification: Hashable, Sendable {
  /// The whole of it, or the job's own inputs where it shares the rest.
  package var bytes: [UInt8]
  /// The first of the jobs that it shares the rest with; nil = it has everything of its own.
  package var batch: JobNumber?
  /// What it shares, as it was read; nil when it is not there.
  package var shared: [UInt8]?

  package init(_ bytes: [UInt8], batch: JobNumber? = nil) {
    self.bytes = bytes
    self.batch = batch
  }
}

/// Many jobs of one submission, as they are stored.
package struct StoredBatch: Hashable, Sendable {
  package var first: JobNumber
  package var count: Int
  /// Of the submission; those of the jobs begin with it.
  package var key: String
  /// What they share of what they execute; empty once nobody will want it again.
  package var specification: [UInt8]

  package init(first: JobNumber, count: Int, key: String, specification: [UInt8]) {
    self.first = first
    self.count = count
    self.key = key
    self.specification = specification
  }
}

extension Store {
  /// What the job executes; nil once it was dropped.
  package func specification(_ number: JobNumber) throws(StoreError) -> StoredSpecification? {
    try rows(
      "SELECT own.bytes, own.batch, batches.bytes FROM specifications AS own"
        + " LEFT JOIN batches ON batches.first = own.batch WHERE own.number = ?",
      for: "reading what job \(number) executes",
      binding: { $0.bind(Int64(bitPattern: number.value)) },
      reading: { statement in
        var specification = StoredSpecification(statement.bytes(limit: Store.specificationBytes))
        specification.batch = statement.optionalNumber(in: 1...Store.numbers).map(JobNumber.init)
        specification.shared = statement.optionalBytes(limit: Store.specificationBytes)
        return specification
      }
    ).first
  }

  /// What the job executes from now on.
  package func replaceSpecification(
    _ number: JobNumber, with bytes: [UInt8]
  ) throws(StoreError) {
    try run(
      "UPDATE specifications SET bytes = ?, batch = NULL WHERE number = ?",
      for: "storing what job \(number) executes"
    ) {
      $0.bind(blob: bytes)
      $0.bind(Int64(bitPattern: number.value))
    }
  }

  /// Whether what the job executes is still there.
  package func hasSpecification(_ number: JobNumber) throws(StoreError) -> Bool {
    try !rows(
      "SELECT 1 FROM specifications WHERE number = ?",
      for: "looking for what job \(number) executes",
      binding: { $0.bind(Int64(bitPattern: number.value)) }, reading: { _ in true }
    ).isEmpty
  }

  /// Forgets what the job executes, its environment with it; called when it has succeeded, so that
  /// nobody will want it again.
  ///
  /// What it shares goes with the last that shares it.
  ///
  /// `isSecret`: not even its bytes are left.
  package func dropSpecification(
    _ number: JobNumber, isSecret: Bool = false
  ) throws(StoreError) {
    if isSecret { try overwriteDeleted(true) }
    defer { if isSecret { try? overwriteDeleted(false) } }
    let operation = "dropping what job \(number) executed"
    let batches = try rows(
      "DELETE FROM specifications WHERE number = ?1"
        + " AND NOT EXISTS (SELECT 1 FROM end_commands WHERE number = ?1) RETURNING batch",
      for: operation, binding: { $0.bind(Int64(bitPattern: number.value)) },
      reading: { $0.optionalNumber() })
    guard let batch = batches.first.flatMap(\.self) else { return }
    try run(
      "UPDATE batches SET bytes = x'' WHERE first = ? AND NOT EXISTS (SELECT 1 FROM specifications"
        + " WHERE number >= batches.first AND number < batches.first + batches.count)",
      for: operation
    ) { $0.bind(batch) }
  }

  // MARK: Many of one submission

  /// Stores what many jobs share that were just accepted, before the jobs.
  package func insert(_ batch: StoredBatch) throws(StoreError) {
    try run(
      "INSERT INTO batches (first, count, key, bytes) VALUES (?, ?, ?, ?)",
      for: "storing what jobs \(batch.first) and more share"
    ) {
      $0.bind(unsigned: batch.first.value)
      $0.bind(Int64(batch.count))
      $0.bind(batch.key)
      $0.bind(blob: batch.specification)
    }
  }

  /// The jobs that were accepted as many in one with this key.
  package func batch(key: String) throws(StoreError) -> StoredBatch? {
    try rows(
      "\(Self.batchSelection) WHERE key = ?", for: "looking for a key", binding: { $0.bind(key) },
      reading: Self.batch
    ).first
  }

  /// All of which some job is still kept.
  package func batches() throws(StoreError) -> [StoredBatch] {
    try rows(
      "\(Self.batchSelection) ORDER BY first", for: "listing what jobs share", reading: Self.batch)
  }

  /// Forgets the submission that this job was one of many of, once none of them is kept.
  func removeBatch(of number: JobNumber) throws(StoreError) {
    let operation = "removing job \(number)"
    try run(
      "DELETE FROM batches WHERE first = (SELECT max(first) FROM batches WHERE first <= ?)"
        + " AND NOT EXISTS (SELECT 1 FROM jobs"
        + " WHERE number >= batches.first AND number < batches.first + batches.count)",
      for: operation
    ) { $0.bind(unsigned: number.value) }
    guard changes > 0 else { return }
    try run(
      "DELETE FROM forgotten WHERE batch NOT IN (SELECT first FROM batches)", for: operation
    ) { _ in }
  }

  /// Counts how a job ended that is not kept any more, if it was one of many of a submission: whoever
  /// watches those wants to know of each.
  func countForgotten(
    _ number: JobNumber, _ outcome: String?, _ exitCode: Int64?
  ) throws(StoreError) {
    guard let outcome else { return }
    try run(
      "INSERT INTO forgotten (batch, outcome, count, first, exit_code)"
        + " SELECT first, ?2, 1, ?1, ?3 FROM batches"
        + " WHERE first = (SELECT max(first) FROM batches WHERE first <= ?1) AND ?1 < first + count"
        + " ON CONFLICT (batch, outcome) DO UPDATE SET count = count + 1,"
        + " exit_code = iif(excluded.first < first, excluded.exit_code, exit_code),"
        + " first = min(first, excluded.first)",
      for: "removing job \(number)"
    ) {
      $0.bind(unsigned: number.value)
      $0.bind(outcome)
      $0.bind(exitCode)
    }
  }

  private static let batchSelection = "SELECT first, count, key, bytes FROM batches"

  private static func batch(_ statement: Statement) -> StoredBatch {
    StoredBatch(
      first: statement.jobNumber(), count: statement.number(in: 1 ... .max),
      key: statement.text(), specification: statement.bytes(limit: specificationBytes))
  }

  /// Most that a job ever had to execute, in bytes.
  private static let specificationBytes = 16 << 20
}
