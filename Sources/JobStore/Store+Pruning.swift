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
}
