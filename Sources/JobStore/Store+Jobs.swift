package import JobCore

extension Store {
  /// Stores a job that was just accepted, with what is to be executed; a hosted one brings nothing.
  ///
  /// - Throws: `constraint`, when its key or number is there already.
  /// `sweep`: `specification` are its own inputs, and it shares the rest with the jobs from this one on.
  package func insert(
    _ row: StoredJob, specification: [UInt8]?, sweep: JobNumber? = nil
  ) throws(StoreError) {
    let operation = "storing job \(row.number)"
    try run(Store.insertion, for: operation) {
      row.bindFixed(to: $0)
      row.bindChanging(to: $0)
    }
    guard let specification else { return }
    try run(
      "INSERT INTO specifications (number, bytes, sweep) VALUES (?, ?, ?)", for: operation
    ) {
      $0.bind(Int64(bitPattern: row.number.value))
      $0.bind(blob: specification)
      $0.bind(unsigned: sweep?.value)
    }
  }

  /// Stores the newest state of a job; what its submission said stays as it was unless that was edited.
  package func update(_ row: StoredJob, isEdited: Bool = false) throws(StoreError) {
    try run(isEdited ? Store.rewriting : Store.change, for: "storing job \(row.number)") {
      if isEdited { row.bindFixed(to: $0) }
      row.bindChanging(to: $0)
      $0.bind(Int64(bitPattern: row.number.value))
    }
  }

  package func job(_ number: JobNumber) throws(StoreError) -> StoredJob? {
    try rows(
      "\(Store.selection) WHERE number = ?", for: "reading job \(number)",
      binding: { $0.bind(Int64(bitPattern: number.value)) }, reading: Store.row
    ).first
  }

  /// The job that was accepted with this submission key.
  package func job(key: String) throws(StoreError) -> StoredJob? {
    try rows(
      "\(Store.selection) WHERE key = ?", for: "looking for a key", binding: { $0.bind(key) },
      reading: Store.row
    ).first
  }

  /// The job with this identifier that was accepted last.
  package func latestJob(_ identifier: JobIdentifier) throws(StoreError) -> StoredJob? {
    try rows(
      "\(Store.selection) WHERE identifier = ? ORDER BY number DESC LIMIT 1",
      for: "looking for \(identifier)", binding: { $0.bind(identifier.text) }, reading: Store.row
    ).first
  }

  /// The number of the job that was accepted last, `back` of those that are kept left out; nil when
  /// there are no more.
  package func latestNumber(before back: Int) throws(StoreError) -> JobNumber? {
    try rows(
      "SELECT number FROM jobs ORDER BY number DESC LIMIT 1 OFFSET ?",
      for: "looking for the latest job", binding: { $0.bind(Int64(back)) },
      reading: { $0.jobNumber() }
    ).first
  }

  /// Jobs that have not ended, ascending.
  package func liveJobs() throws(StoreError) -> [StoredJob] {
    try jobs(endedToo: false, limit: .max)
  }

  /// Hosted jobs that have ended and whose processes still hold something, ascending.
  package func lingeringJobs() throws(StoreError) -> [StoredJob] {
    try rows(
      "\(Store.selection) WHERE lingers <> 0 ORDER BY number", for: "listing jobs",
      binding: { _ in }, reading: Store.row)
  }

  /// The process of a hosted job that had ended has let go: of that there is nothing to warn any more,
  /// but still of a command that failed after its end.
  package func endLingering(_ number: JobNumber) throws(StoreError) {
    try run(
      "UPDATE jobs SET lingers = 0, warning = CASE lingers WHEN 2 THEN warning END WHERE number = ?",
      for: "storing job \(number)"
    ) { $0.bind(Int64(bitPattern: number.value)) }
  }

  /// At most `limit` jobs with larger numbers than `after`, ascending; the last one's number is the
  /// next page's `after`.
  package func jobs(
    endedToo: Bool, after: JobNumber = JobNumber(0), limit: Int
  ) throws(StoreError) -> [StoredJob] {
    let condition = endedToo ? "" : " AND state <> 'ended'"
    return try rows(
      "\(Store.selection) WHERE number > ?\(condition) ORDER BY number LIMIT ?",
      for: "listing jobs",
      binding: {
        $0.bind(Int64(bitPattern: after.value))
        $0.bind(Int64(limit))
      }, reading: Store.row)
  }

  /// At most `limit` jobs of a group, as above: an index leads to them, however many others there are.
  package func jobs(
    of group: GroupName, after: JobNumber, limit: Int
  ) throws(StoreError) -> [StoredJob] {
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

  /// A number that no job ever had, also none that was removed.
  package func nextNumber() throws(StoreError) -> JobNumber {
    JobNumber(try lastGiven("jobs", column: "number") + 1)
  }

  /// The largest row number ever given in a table, whatever SQLite's own count says; 0 = none.
  func lastGiven(_ table: String, column: String) throws(StoreError) -> UInt64 {
    try rows(
      "SELECT coalesce((SELECT max(seq) FROM sqlite_sequence WHERE name = '\(table)'), 0)"
        + " UNION ALL SELECT coalesce((SELECT max(\(column)) FROM \(table)), 0)",
      for: "reading the last number", reading: { $0.number(in: 0...Store.numbers) }
    ).max() ?? 0
  }

  /// Largest number of a job, an event or a command; a larger one is garbage.
  static let numbers = JobNumber.largest.value - 1
  static func row(_ statement: Statement) throws(StoreError) -> StoredJob {
    try StoredJob(reading: statement)
  }

  private static let columns = StoredJob.fixedColumns + StoredJob.changingColumns

  static let selection = "SELECT \(columns.joined(separator: ", ")) FROM jobs"

  private static let insertion =
    "INSERT INTO jobs (\(columns.joined(separator: ", ")))"
    + " VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"

  private static let change = update(of: StoredJob.changingColumns)

  private static let rewriting = update(of: columns)

  private static func update(of columns: [String]) -> String {
    "UPDATE jobs SET \(columns.map { "\($0) = ?" }.joined(separator: ", ")) WHERE number = ?"
  }
}
