package import JobCore

extension Store {
  /// Removes the oldest ended jobs beyond the newest `count`; never a live one.
  ///
  /// `limit`: the maximum removed at once, to keep the loop responsive. Jobs that are spared stay beyond the count.
  /// - Returns: the removed ones, whose logs and folders are to be removed too.
  package func prune(
    keeping count: Int, limit: Int, sparing isSpared: (JobNumber) -> Bool = { _ in false }
  ) throws(StoreError) -> [JobNumber] {
    let surplus = try endedCount() - count
    guard surplus > 0 else { return [] }
    var removed: [JobNumber] = []
    for mark in try oldest(min(surplus, limit)) where !isSpared(mark.number) {
      if try remove(mark.number) { removed.append(mark.number) }
    }
    return removed
  }

  /// Removes the jobs that ended before a time, oldest end first, except those with a higher number than a
  /// job that ended later: their time of the end came from a wrong clock.
  ///
  /// `milliseconds`: wall time since 1970. `limit`: the maximum removed.
  package func prune(
    endedBefore milliseconds: Int64, limit: Int,
    sparing isSpared: (JobNumber) -> Bool = { _ in false }
  ) throws(StoreError) -> [JobNumber] {
    let old = try oldest(limit).filter { $0.endedMilliseconds < milliseconds }
    guard !old.isEmpty else { return [] }
    let young = try rows(
      "SELECT min(number) FROM jobs WHERE state = 'ended' AND ended_ms >= ?",
      for: "looking for old jobs", binding: { $0.bind(milliseconds) },
      reading: { $0.optionalNumber(in: 1...JobNumber.largest.value) })
    let bound = young.first.flatMap(\.self).map { JobNumber($0) }
    var removed: [JobNumber] = []
    for mark in old where bound.map({ mark.number < $0 }) ?? true {
      if !isSpared(mark.number), try remove(mark.number) { removed.append(mark.number) }
    }
    return removed
  }

  /// The number of ended jobs that are kept.
  package func endedCount() throws(StoreError) -> Int {
    try rows(
      "SELECT count(*) FROM jobs WHERE state = 'ended'", for: "counting ended jobs",
      reading: { $0.number(in: 0 ... .max) }
    ).first ?? 0
  }

  /// The oldest ends of the kept jobs.
  private func oldest(_ limit: Int) throws(StoreError) -> [EndedMark] {
    try rows(
      "SELECT number, ended_ms FROM jobs WHERE state = 'ended' ORDER BY ended_ms, number LIMIT ?",
      for: "looking for old jobs", binding: { $0.bind(Int64(limit)) },
      reading: { Store.mark($0) })
  }

  private static func mark(_ statement: Statement) -> EndedMark {
    let number = statement.jobNumber()
    return EndedMark(endedMilliseconds: statement.number(), number: number)
  }

  /// Removes one ended job; false when it is live, unknown or has a due command.
  ///
  /// Its events stay until they are old.
  ///
  /// `isSecret`: not even the bytes of its specification remain, once the log is emptied (`emptyLog`).
  package func remove(_ number: JobNumber, isSecret: Bool = false) throws(StoreError) -> Bool {
    if isSecret { try overwriteDeleted(true) }
    defer { if isSecret { try? overwriteDeleted(false) } }
    let operation = "removing job \(number)"
    let removed = try rows(
      "DELETE FROM jobs WHERE number = ? AND state = 'ended' AND lingers = 0"
        + " AND NOT EXISTS (SELECT 1 FROM end_commands WHERE number = jobs.number)"
        + " RETURNING outcome, exit_code",
      for: operation, binding: { $0.bind(Int64(bitPattern: number.value)) },
      reading: { (outcome: $0.optionalText(), exitCode: $0.optionalNumber()) })
    guard let end = removed.first else { return false }
    try countForgotten(number, end.outcome, end.exitCode)
    try dropSpecification(number)
    try removeBatch(of: number)
    return true
  }

  /// Removes events beyond the newest `count`, oldest first, at most `limit` at once.
  package func pruneEvents(keeping count: Int, limit: Int) throws(StoreError) {
    let last = try lastSequence()
    let first = try firstSequence()
    let surplus = last - min(last, UInt64(max(0, count)))
    let bound = min(surplus, max(first, 1) - 1 + UInt64(max(0, limit)))
    try run("DELETE FROM events WHERE sequence <= ?", for: "removing old events") {
      $0.bind(Int64(clamping: bound))
    }
  }

  /// The boot that stored instants belong to (`/proc/sys/kernel/random/boot_id`); nil before the
  /// first was saved.
  package func bootID() throws(StoreError) -> String? {
    try note("boot", for: "reading the boot id")
  }

  package func saveBootID(_ bootID: String) throws(StoreError) {
    try saveNote("boot", bootID, for: "storing the boot id")
  }

  /// The mount of the files beside the store when it was last used; nil = unknown.
  package func mountNumber() throws(StoreError) -> UInt64? {
    try note("mount", for: "reading the number of the mount").flatMap { UInt64($0) }
  }

  package func saveMountNumber(_ number: UInt64?) throws(StoreError) {
    try saveNote("mount", number.map { "\($0)" } ?? "", for: "storing the number of the mount")
  }

  /// The jobs that succeeded and wait for the removal that their submissions ask for, as a runner left them.
  package func awaitedRemovals() throws(StoreError) -> [JobNumber] {
    try note("removals", for: "reading which jobs are to be removed")?
      .split(separator: " ").compactMap { UInt64($0).map { JobNumber($0) } } ?? []
  }

  package func saveAwaitedRemovals(_ numbers: [JobNumber]) throws(StoreError) {
    let text = numbers.map { "\($0)" }.joined(separator: " ")
    try saveNote("removals", text, for: "storing which jobs are to be removed")
  }

  /// Whether the queue is on hold, so that no job starts.
  package func isHeld() throws(StoreError) -> Bool {
    try note("held", for: "reading whether the runner is paused") == "1"
  }

  package func saveHeld(_ isHeld: Bool) throws(StoreError) {
    try saveNote("held", isHeld ? "1" : "0", for: "storing whether the runner is paused")
  }

  /// The groups that are paused: none of their waiting jobs starts.
  package func pausedGroups() throws(StoreError) -> [GroupName] {
    try note("pausedGroups", for: "reading which groups are paused")?
      .split(separator: " ").compactMap { GroupName(String($0)) } ?? []
  }

  package func savePausedGroups(_ groups: Set<GroupName>) throws(StoreError) {
    let names = groups.map { $0.text }.sorted().joined(separator: " ")
    try saveNote("pausedGroups", names, for: "storing which groups are paused")
  }

  /// The name of this store on a file system that it shares with others: the result of `make` at the first
  /// call, on the disk before it is returned.
  ///
  /// A new store in the place of an old one gets another name, as its jobs have the same numbers.
  package func ownName(_ make: () -> String) throws(StoreError) -> String {
    if let name = try note("engineName", for: "reading the store's name") { return name }
    let name = make()
    try begin(.full)
    do throws(StoreError) {
      try saveNote("engineName", name, for: "storing the store's name")
      try commit()
    } catch {
      rollback()
      throw error
    }
    return name
  }

  /// The name if it was made and can be read.
  package var knownName: String? {
    (try? note("engineName", for: "reading the store's name")) ?? nil
  }

  private func note(_ name: String, for operation: String) throws(StoreError) -> String? {
    try rows(
      "SELECT value FROM notes WHERE name = ?", for: operation,
      binding: { $0.bind(name) }, reading: { $0.text() }
    ).first
  }

  private func saveNote(
    _ name: String, _ value: String, for operation: String
  ) throws(StoreError) {
    try run(
      "INSERT INTO notes (name, value) VALUES (?, ?)"
        + " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      for: operation
    ) {
      $0.bind(name)
      $0.bind(value)
    }
  }
}
