package import JobCore

extension Store {
  /// Adds an event and returns its sequence number, one more than the last.
  ///
  /// `milliseconds`: wall time since 1970. `kind`: the raw value of `Announcement.Kind`. `job`: the job
  /// object at that time, as JSON.
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
      }, reading: Store.event)
  }

  private static func event(_ statement: Statement) throws(StoreError) -> EventRow {
    let event = EventRow(
      sequence: statement.number(in: 0...Store.numbers), atMilliseconds: statement.number(),
      number: statement.jobNumber(), kind: statement.text(), job: statement.bytes())
    // Readers of the feed get it unchanged as a line of its own.
    guard event.job.first == UInt8(ascii: "{"), event.job.last == UInt8(ascii: "}"),
      event.job.allSatisfy({ $0 >= 0x20 }), String(validating: event.job, as: UTF8.self) != nil
    else {
      let message = "event \(event.sequence) holds no job"
      throw .corrupt(StoreError.Failure(operation: "reading events", code: 0, message: message))
    }
    return event
  }

  /// The sequence number of the oldest kept event; `lastSequence() + 1` when there is none.
  package func firstSequence() throws(StoreError) -> UInt64 {
    let first = try rows(
      "SELECT sequence FROM events ORDER BY sequence LIMIT 1", for: "reading the first event",
      reading: { $0.number(in: 0...Store.numbers) }
    ).first
    if let first { return first }
    return try lastSequence() + 1
  }

  /// The sequence number of the newest event ever; 0 = none.
  package func lastSequence() throws(StoreError) -> UInt64 {
    try lastGiven("events", column: "sequence")
  }
}
