package import JobCore

extension Store {
  /// Adds an event and gives its sequence number, one more than the last.
  ///
  /// `milliseconds`: wall time since 1970.
  /// `kind`: the raw value of `Announcement.Kind`.
  /// `job`: the job object as it was then, as JSON.
  package func append(
    eventAt milliseconds: Int64, number: JobNumber, kind: String, job: [UInt8]
  ) throws(StoreError) -> UInt64 {
    try run(
      "INSERT INTO events (at_ms, number, kind, job) VALUES (?, ?, ?, ?)",
      for: "storing an event of job \(number)"
    ) {
      $0.bind(milliseconds)
      $0.bind(Int64(bitPattern: number.value))
      $0.bind(kind)
      $0.bind(utf8: job)
    }
    return UInt64(bitPattern: lastInserted)
  }

  /// At most `limit` events with larger sequence numbers than `since`, ascending.
  package func events(since: UInt64, limit: Int) throws(StoreError) -> [EventRow] {
    try rows(
      "SELECT sequence, at_ms, number, kind, job FROM events WHERE sequence > ?"
        + " ORDER BY sequence LIMIT ?",
      for: "reading events",
      binding: {
        $0.bind(Int64(clamping: since))
        $0.bind(Int64(limit))
      },
      reading: {
        EventRow(
          sequence: UInt64(bitPattern: $0.number()), atMilliseconds: $0.number(),
          number: JobNumber(UInt64(bitPattern: $0.number())), kind: $0.text(), job: $0.bytes())
      })
  }

  /// The oldest event that is kept; `lastSequence() + 1` when none is.
  package func firstSequence() throws(StoreError) -> UInt64 {
    let first = try rows(
      "SELECT sequence FROM events ORDER BY sequence LIMIT 1", for: "reading the first event",
      reading: { UInt64(bitPattern: $0.number()) }
    ).first
    if let first { return first }
    return try lastSequence() + 1
  }

  /// The newest event ever; 0 = none.
  package func lastSequence() throws(StoreError) -> UInt64 { try lastGiven("events") }
}
