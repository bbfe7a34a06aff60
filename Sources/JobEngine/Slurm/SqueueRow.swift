internal import JobCore
internal import JobWire

/// Reads the user's jobs as `squeue` shows them.
package enum SqueueRow {
  package static let format = "%i|%j|%T|%S|%N|%e|%P|%r"
  private static let fields = 8

  /// Seconds since 1970.
  private static let times: ClosedRange<Int64> = 1...WallTime.latest.milliseconds / 1000

  /// All rows; nil when the output is not from squeue.
  ///
  /// Names of other jobs may contain line feeds.
  package static func all(in output: [UInt8]) -> [QueueRow]? {
    var rows: [QueueRow] = []
    for line in output.split(separator: 0x0A) {
      let fields = line.split(
        separator: UInt8(ascii: "|"), maxSplits: Self.fields - 1, omittingEmptySubsequences: false
      ).map { String(decoding: $0, as: UTF8.self) }
      guard fields.count == Self.fields,
        fields[0].utf8.first.map({ (0x30...0x39).contains($0) }) == true,
        !fields[2].isEmpty
      else { continue }
      var row = row(id: fields[0], name: fields[1], state: fields[2], node: fields[4])
      row.start = Int64(fields[3])
      row.end = Int64(fields[5]).flatMap { times.contains($0) ? $0 : nil }
      row.partition = SafeText.shown(fields[6])
      if row.isPending { row.reason = QueueReason(slurm: SafeText.shown(fields[7])) }
      rows.append(row)
    }
    return rows.isEmpty && !output.isEmpty ? nil : rows
  }

  /// One job in this state.
  package static func row(id: String, name: String, state: String, node: String) -> QueueRow {
    var row = QueueRow(id: id, name: name, state: state, phase: SlurmState.phase(state))
    row.hasNode = !node.isEmpty && node != "(null)"
    row.cause = SlurmState.cause(state)
    row.isBroken = SlurmState.isBroken(state)
    return row
  }
}
