package import JobCore

// A store that replaces a lost one.
extension Store {
  /// Makes an empty store continue the numbers of another one, so that no number is ever reused.
  package func goOn(
    afterJob number: JobNumber, event sequence: UInt64, endCommand id: UInt64
  ) throws(StoreError) {
    for (table, last) in [("jobs", number.value), ("events", sequence), ("end_commands", id)] {
      try run(
        "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", for: "setting the last number"
      ) {
        $0.bind(table)
        $0.bind(Int64(clamping: last))
      }
    }
  }

  /// Jobs only get numbers above this one from now on.
  package func skipNumbers(upTo number: JobNumber) throws(StoreError) {
    try transaction(.full) { () throws(StoreError) in
      try run(
        "UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'jobs'",
        for: "setting the last number"
      ) { $0.bind(Int64(clamping: number.value)) }
      guard changes == 0 else { return }
      try run(
        "INSERT INTO sqlite_sequence (name, seq) VALUES ('jobs', ?)",
        for: "setting the last number"
      ) { $0.bind(Int64(clamping: number.value)) }
    }
  }

  /// Stores an already numbered command that is due.
  package func insert(_ row: EndCommandRow) throws(StoreError) {
    try run(
      "INSERT INTO end_commands (id, number, command, variables) VALUES (?, ?, ?, ?)",
      for: "storing the on-end command of job \(row.number)"
    ) {
      $0.bind(Int64(bitPattern: row.id))
      $0.bind(Int64(bitPattern: row.number.value))
      $0.bind(row.command)
      $0.bind(blob: row.variables)
    }
  }
}
