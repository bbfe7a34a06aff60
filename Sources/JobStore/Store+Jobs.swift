package import JobCore
package import JobWire

extension Store {
  /// Stores a job that was just accepted, with its specification; a hosted one has none.
  ///
  /// - Throws: `constraint`, when its key or number exists already. `batch`: `specification` holds the
  ///   job's own inputs, and the rest is shared with the jobs from this one on.
  package func insert(
    _ row: JobRecord, specification: [UInt8]?, batch: JobNumber? = nil
  ) throws(StoreError) {
    let operation = "storing job \(row.number)"
    try run(Store.insertion, for: operation) {
      row.bindNames(to: $0)
      row.bindChanging(to: $0)
    }
    guard let specification else { return }
    try run(
      "INSERT INTO specifications (number, bytes, batch) VALUES (?, ?, ?)", for: operation
    ) {
      $0.bind(Int64(bitPattern: row.number.value))
      $0.bind(blob: specification)
      $0.bind(unsigned: batch?.value)
    }
  }

  /// Stores the newest state of a job; its key, its identifier and other fixed fields do not change.
  package func update(_ row: JobRecord) throws(StoreError) {
    try run(Store.change, for: "storing job \(row.number)") {
      row.bindChanging(to: $0)
      $0.bind(unsigned: row.number.value)
    }
  }

  /// Changes the record of an ended job.
  func changeEnded(
    _ number: JobNumber, _ change: (inout JobRecord) -> Void
  ) throws(StoreError) {
    guard var row = try job(number), case .ended = row.state else { return }
    change(&row)
    try update(row)
  }

  package func job(_ number: JobNumber) throws(StoreError) -> JobRecord? {
    try rows(
      "\(Store.selection) WHERE number = ?", for: "reading job \(number)",
      binding: { $0.bind(Int64(bitPattern: number.value)) }, reading: Store.row
    ).first
  }

  /// The job that was accepted with this submission key.
  package func job(key: String) throws(StoreError) -> JobRecord? {
    try rows(
      "\(Store.selection) WHERE key = ?", for: "looking for a key", binding: { $0.bind(key) },
      reading: Store.row
    ).first
  }

  /// The latest accepted job with this identifier.
  package func latestJob(_ identifier: JobIdentifier) throws(StoreError) -> JobRecord? {
    try rows(
      "\(Store.selection) WHERE identifier = ? ORDER BY number DESC LIMIT 1",
      for: "looking for \(identifier)", binding: { $0.bind(identifier.text) }, reading: Store.row
    ).first
  }

  /// The number of the latest accepted job after skipping `back` kept ones; nil when there are no more.
  package func latestNumber(before back: Int) throws(StoreError) -> JobNumber? {
    try rows(
      "SELECT number FROM jobs ORDER BY number DESC LIMIT 1 OFFSET ?",
      for: "looking for the latest job", binding: { $0.bind(Int64(back)) },
      reading: { $0.jobNumber() }
    ).first
  }

  /// Live jobs, ascending.
  package func liveJobs() throws(StoreError) -> [JobRecord] {
    try jobs(endedToo: false, limit: .max)
  }

  /// Ended hosted jobs whose processes still hold something, ascending.
  package func lingeringJobs() throws(StoreError) -> [JobRecord] {
    try rows(
      "\(Store.selection) WHERE lingers <> 0 ORDER BY number", for: "listing jobs",
      binding: { _ in }, reading: Store.row)
  }

  /// The process of an ended hosted job has let go: removes that warning, but not the one of a command that
  /// failed after its end.
  package func endLingering(_ number: JobNumber) throws(StoreError) {
    try changeEnded(number) { row in
      row.lingers = false
      if !row.isCommandWarned { row.warning = nil }
    }
  }

  /// At most `limit` jobs with larger numbers than `after`, ascending; the last one's number is the
  /// next page's `after`.
  package func jobs(
    endedToo: Bool, after: JobNumber = JobNumber(0), limit: Int
  ) throws(StoreError) -> [JobRecord] {
    let condition = endedToo ? "" : " AND state <> 'ended'"
    return try rows(
      "\(Store.selection) WHERE number > ?\(condition) ORDER BY number LIMIT ?",
      for: "listing jobs",
      binding: {
        $0.bind(Int64(bitPattern: after.value))
        $0.bind(Int64(limit))
      }, reading: Store.row)
  }

  /// At most `limit` jobs of a group, as above: an index finds them, however many others there are.
  package func jobs(
    of group: GroupName, after: JobNumber, limit: Int
  ) throws(StoreError) -> [JobRecord] {
    try rows(
      Self.groupSelection, for: "listing jobs",
      binding: {
        $0.bind(group.text)
        $0.bind(Int64(bitPattern: after.value))
        $0.bind(Int64(limit))
      }, reading: Store.row)
  }

  package static var groupSelection: String {
    "\(selection) WHERE job_group = ? AND number > ? ORDER BY number LIMIT ?"
  }

  /// A number that no job ever had, including removed ones.
  package func nextNumber() throws(StoreError) -> JobNumber {
    JobNumber(try lastGiven("jobs", column: "number") + 1)
  }

  /// The largest row number ever given in a table, regardless of SQLite's own count; 0 = none.
  func lastGiven(_ table: String, column: String) throws(StoreError) -> UInt64 {
    try rows(
      "SELECT coalesce((SELECT max(seq) FROM sqlite_sequence WHERE name = '\(table)'), 0)"
        + " UNION ALL SELECT coalesce((SELECT max(\(column)) FROM \(table)), 0)",
      for: "reading the last number", reading: { $0.number(in: 0...Store.numbers) }
    ).max() ?? 0
  }

  /// The maximum number of a job, an event or a command; a larger one is damage.
  static let numbers = JobNumber.largest.value - 1

  /// The maximum length of a record: a line of 64 KiB may need six times as much when escaped.
  private static let recordBytes = 1 << 20

  static let selection = "SELECT number, record FROM jobs"

  /// Reads a row of `selection`.
  static func row(_ statement: Statement) throws(StoreError) -> JobRecord {
    let number = statement.jobNumber()
    let json = statement.bytes(limit: recordBytes)
    do throws(WireError) {
      return try JobRecord(number, json: json[...])
    } catch {
      throw .corrupt(
        StoreError.Failure(
          operation: "reading job \(number)", code: 0, message: error.message))
    }
  }

  private static let names = ["number", "key", "identifier", "definition", "bundle"]

  private static let changing = [
    "job_group", "title", "state", "outcome", "exit_code", "ended_ms", "lingers", "record",
  ]

  private static let insertion =
    "INSERT INTO jobs (\((names + changing).joined(separator: ", ")))"
    + " VALUES (\((names + changing).map { _ in "?" }.joined(separator: ", ")))"

  private static let change =
    "UPDATE jobs SET \(changing.map { "\($0) = ?" }.joined(separator: ", ")) WHERE number = ?"
}

extension JobRecord {
  fileprivate func bindNames(to statement: Statement) {
    statement.bind(unsigned: number.value)
    statement.bind(submission.key)
    statement.bind(submission.identifier.text)
    statement.bind(definition)
    statement.bind(submission.bundle?.text)
  }

  fileprivate func bindChanging(to statement: Statement) {
    statement.bind(submission.options.group?.text)
    statement.bind(title)
    statement.bind(JobStatus.State(state).rawValue)
    statement.bind(state.outcome?.rawValue)
    statement.bind(exitCode.map { Int64($0) })
    statement.bind(endedMilliseconds)
    statement.bind(lingers ? 1 : 0)
    statement.bind(utf8: json)
  }
}
