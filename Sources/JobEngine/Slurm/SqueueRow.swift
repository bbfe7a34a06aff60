package import JobWire

/// One of the user's jobs as `squeue` shows it.
package struct SqueueRow: Equatable {
  /// `4711`, or `4711_3` of an array.
  package var id: String
  package var name: String
  /// What the queue shows in place of `name`: an array has one for all of its elements.
  package var shownName: String
  package var state: String
  /// Seconds since 1970; nil = Slurm does not know.
  package var start: Int64?
  package var node: String
  /// When Slurm ends it, in seconds since 1970; nil = never, or not known.
  package var end: Int64?
  package var partition: String
  /// Why it waits, in Slurm's word.
  package var reason: String

  package init(id: String, name: String, state: String) {
    (self.id, self.name, self.state) = (id, name, state)
    (shownName, node, partition, reason) = (name, "", "", "")
  }

  /// It has a place, or had one.
  package var hasNode: Bool { !node.isEmpty && node != "(null)" }

  package static let format = "%i|%j|%T|%S|%N|%e|%P|%r"
  private static let fields = 8

  package var isPending: Bool {
    state == "PENDING" || state == "CONFIGURING" || state == "REQUEUED"
  }
  package var isRunning: Bool { state == "RUNNING" || state == "SUSPENDED" || state == "STOPPED" }
  package var isOver: Bool { !isPending && !isRunning && !isEnding }
  /// On its way out: what it ended with is told later.
  package var isEnding: Bool {
    state == "COMPLETING" || state == "STAGE_OUT" || state == "SIGNALING"
  }

  /// From 1970 to the end of the year 9999.
  private static let times: ClosedRange<Int64> = 1...253_402_300_799

  /// All rows; nil when there is nothing that squeue writes.
  ///
  /// A name of one that is not ours may be of several lines.
  package static func all(in output: [UInt8]) -> [SqueueRow]? {
    var rows: [SqueueRow] = []
    for line in output.split(separator: 0x0A) {
      let fields = line.split(
        separator: UInt8(ascii: "|"), maxSplits: Self.fields - 1, omittingEmptySubsequences: false
      ).map { String(decoding: $0, as: UTF8.self) }
      guard fields.count == Self.fields,
        fields[0].utf8.first.map({ (0x30...0x39).contains($0) }) == true,
        !fields[2].isEmpty
      else { continue }
      var row = SqueueRow(id: fields[0], name: fields[1], state: fields[2])
      row.start = Int64(fields[3])
      row.node = fields[4]
      row.end = Int64(fields[5]).flatMap { times.contains($0) ? $0 : nil }
      row.partition = SafeText.shown(fields[6])
      row.reason = SafeText.shown(fields[7])
      rows.append(row)
    }
    return rows.isEmpty && !output.isEmpty ? nil : rows
  }

  /// What ended it there, of one that is over and did not end by itself.
  package var cause: EngineCause? {
    switch state {
    case "CANCELLED", "REVOKED": .cancelled
    case "PREEMPTED": .preempted
    case "OUT_OF_MEMORY": .outOfMemory
    case "TIMEOUT", "DEADLINE": .overLimit
    case "NODE_FAIL", "BOOT_FAIL": .lost
    default: nil
    }
  }
}
