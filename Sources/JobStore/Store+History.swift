package import JobCore

extension Store {
  /// Removes the jobs that ended longest ago, beyond the newest `count` or before a time; never one
  /// that is live.
  ///
  /// `milliseconds`: wall time since 1970.
  /// `limit`: the most that are removed at once, so that the loop goes on.
  /// - Returns: the removed ones, whose logs and folders are to be removed too.
  package func prune(
    keeping count: Int, endedBefore milliseconds: Int64, limit: Int
  ) throws(StoreError) -> [JobNumber] {
    let ended =
      try rows(
        "SELECT count(*) FROM jobs WHERE state = 'ended'", for: "counting ended jobs",
        reading: { Int($0.number()) }
      ).first ?? 0
    let oldest = try rows(
      "SELECT number, ended_ms FROM jobs WHERE state = 'ended' ORDER BY ended_ms, number LIMIT ?",
      for: "looking for old jobs", binding: { $0.bind(Int64(limit)) },
      reading: { (JobNumber(UInt64(bitPattern: $0.number())), $0.number()) })
    let surplus = ended - count
    var removed: [JobNumber] = []
    for (index, (number, endedAt)) in oldest.enumerated()
    where index < surplus || endedAt < milliseconds {
      if try remove(number) { removed.append(number) }
    }
    return removed
  }

  /// Removes one ended job; false when it is live, unknown or has a command that is due.
  ///
  /// Its events stay until they are old.
  package func remove(_ number: JobNumber) throws(StoreError) -> Bool {
    let operation = "removing job \(number)"
    try run(
      "DELETE FROM jobs WHERE number = ? AND state = 'ended' AND lingers = 0"
        + " AND NOT EXISTS (SELECT 1 FROM end_commands WHERE number = jobs.number)",
      for: operation
    ) {
      $0.bind(Int64(bitPattern: number.value))
    }
    guard changes > 0 else { return false }
    try dropSpecification(number)
    return true
  }

  /// Removes events beyond the newest `count`, oldest first, at most `limit` at once.
  package func pruneEvents(keeping count: Int, limit: Int) throws(StoreError) {
    let last = try lastSequence()
    let first = try firstSequence()
    let surplus = last - min(last, UInt64(max(0, count)))
    let bound = min(surplus, first - 1 + UInt64(max(0, limit)))
    try run("DELETE FROM events WHERE sequence <= ?", for: "removing old events") {
      $0.bind(Int64(clamping: bound))
    }
  }

  /// The boot that stored instants belong to (`/proc/sys/kernel/random/boot_id`); nil before the
  /// first was saved.
  package func bootID() throws(StoreError) -> String? {
    try rows(
      "SELECT value FROM notes WHERE name = 'boot'", for: "reading the boot id",
      reading: { $0.text() }
    ).first
  }

  package func saveBootID(_ bootID: String) throws(StoreError) {
    try run(
      "INSERT INTO notes (name, value) VALUES ('boot', ?)"
        + " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      for: "storing the boot id"
    ) { $0.bind(bootID) }
  }
}
