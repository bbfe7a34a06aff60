package import JobCore
import JobWire

/// The stored specification of a job.
package struct StoredSpecification: Hashable, Sendable {
  /// The whole specification, or the job's own inputs where it shares the rest.
  package var bytes: [UInt8]
  /// The first of the jobs that share the rest; nil = nothing is shared.
  package var batch: JobNumber?
  /// The shared part as it was read; nil when it is missing.
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
  /// The key of the submission, with which the keys of the jobs start.
  package var key: String
  /// The shared part of the specification; empty once no job needs it.
  package var specification: [UInt8]

  package init(first: JobNumber, count: Int, key: String, specification: [UInt8]) {
    self.first = first
    self.count = count
    self.key = key
    self.specification = specification
  }
}

extension Store {
  /// The specification of the job; nil once it was dropped.
  package func specification(_ number: JobNumber) throws(StoreError) -> StoredSpecification? {
    try rows(
      "SELECT own.bytes, own.batch, batches.bytes FROM specifications AS own"
        + " LEFT JOIN batches ON batches.first = own.batch WHERE own.number = ?",
      for: "reading what job \(number) executes",
      binding: { $0.bind(Int64(bitPattern: number.value)) },
      reading: { statement in
        var specification = StoredSpecification(
          statement.bytes(limit: Limits.launchSpecificationBytes))
        specification.batch = statement.optionalNumber(in: 1...Store.numbers).map { JobNumber($0) }
        specification.shared = statement.optionalBytes(limit: Limits.launchSpecificationBytes)
        return specification
      }
    ).first
  }

  /// Replaces the specification of the job.
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

  /// Whether the specification of the job is still stored.
  package func hasSpecification(_ number: JobNumber) throws(StoreError) -> Bool {
    try !rows(
      "SELECT 1 FROM specifications WHERE number = ?",
      for: "looking for what job \(number) executes",
      binding: { $0.bind(Int64(bitPattern: number.value)) }, reading: { _ in true }
    ).isEmpty
  }

  /// Forgets the specification of the job, with its environment; called when it has succeeded and cannot
  /// run again.
  ///
  /// The shared part goes with the last job that uses it.
  ///
  /// `isSecret`: not even its bytes remain.
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

  /// Stores the shared part of many jobs that were just accepted, before the jobs.
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

  /// The jobs that were submitted together with this key.
  package func batch(key: String) throws(StoreError) -> StoredBatch? {
    try rows(
      "\(Self.batchSelection) WHERE key = ?", for: "looking for a key", binding: { $0.bind(key) },
      reading: Self.batch
    ).first
  }

  /// All submissions of many jobs of which at least one is kept.
  package func batches() throws(StoreError) -> [StoredBatch] {
    try rows(
      "\(Self.batchSelection) ORDER BY first", for: "listing what jobs share", reading: Self.batch)
  }

  /// Forgets the submission of many jobs that this job belonged to, once none of them is kept.
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

  /// Counts the end of a job that is no longer kept, if it belonged to a submission of many jobs: their
  /// watchers need every end.
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
      key: statement.text(), specification: statement.bytes(limit: Limits.launchSpecificationBytes))
  }
}
