package import JobCore

// A store that takes the place of a lost one.
extension Store {
  /// Makes an empty store count on where another stopped: no number is ever given twice.
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

  /// No job gets a number up to this one any more.
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

  /// Stores a command that is due already under the number it has.
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
