import JobCore
package import JobWire

/// One of the user's jobs as `squeue` shows it.
package struct SqueueRow: Equatable {
  /// `4711`, or `4711_3` of an array.
  package var id: String
  package var name: String
  /// The name in the queue, which all elements of an array share.
  package var shownName: String
  package var state: String
  /// Seconds since 1970; nil = unknown to Slurm.
  package var start: Int64?
  package var node: String
  /// When Slurm ends it, in seconds since 1970; nil = never or unknown.
  package var end: Int64?
  package var partition: String
  /// Why it waits, in Slurm's word.
  package var reason: String

  package init(id: String, name: String, state: String) {
    (self.id, self.name, self.state) = (id, name, state)
    (shownName, node, partition, reason) = (name, "", "", "")
  }

  /// It has or had a node.
  package var hasNode: Bool { !node.isEmpty && node != "(null)" }

  package static let format = "%i|%j|%T|%S|%N|%e|%P|%r"
  private static let fields = 8

  package var isPending: Bool {
    state == "PENDING" || state == "CONFIGURING" || state == "REQUEUED"
  }
  package var isRunning: Bool { state == "RUNNING" || state == "SUSPENDED" || state == "STOPPED" }
  package var isOver: Bool { !isPending && !isRunning && !isEnding }
  /// It is ending: its final state follows later.
  package var isEnding: Bool {
    state == "COMPLETING" || state == "STAGE_OUT" || state == "SIGNALING"
  }

  /// Seconds since 1970.
  private static let times: ClosedRange<Int64> = 1...WallTime.latest.milliseconds / 1000

  /// All rows; nil when the output is not from squeue.
  ///
  /// Names of other jobs may contain line feeds.
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

  /// The cause of its end, if it is over and did not end by itself.
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
