internal import JobCore
package import JobWire

/// Reads the answers of a batch system by the patterns of its settings.
package struct BatchReader {
  private let id: LinePattern?
  private let row: LinePattern?
  private let gone: LinePattern?
  private let phases: [(phase: QueueRow.Phase, pattern: LinePattern)]

  /// The steps that a pattern may take for one line.
  private static let steps = 100_000

  /// The runner has checked the patterns: one that cannot be used matches nothing.
  package init(_ system: BatchSystem) {
    id = try? LinePattern(system[.id])
    row = try? LinePattern(system[.row])
    gone = system[.gone].isEmpty ? nil : try? LinePattern(system[.gone])
    let keys: [(QueueRow.Phase, BatchSystem.Key)] = [
      (.pending, .waiting), (.running, .running), (.over, .ended),
    ]
    phases = keys.compactMap { phase, key in
      // All of a state's word.
      let isSet = !system[key].isEmpty
      return isSet ? (try? LinePattern("^(\(system[key]))$")).map { (phase, $0) } : nil
    }
  }

  /// The number in the answer to a submission: the first group that matches.
  package func id(in answer: [UInt8]) -> String? {
    guard let id else { return nil }
    for line in answer.split(separator: 0x0A) {
      if let text = groups(of: id, in: Array(line))?.first, !text.isEmpty { return text }
    }
    return nil
  }

  /// Lines that do not match are headings.
  package func rows(in output: [UInt8]) -> [QueueRow]? {
    guard let row, let id = row.group("id"), let state = row.group("state") else { return nil }
    return output.split(separator: 0x0A).compactMap { line in
      guard let found = groups(of: row, in: Array(line)), !found[id].isEmpty else { return nil }
      return self.row(found[id], found[state])
    }
  }

  /// Whether the answer to the question of one job says that there is no such job.
  package func saysGone(_ output: [UInt8]) -> Bool {
    guard let gone else { return false }
    return output.split(separator: 0x0A).contains { groups(of: gone, in: Array($0)) != nil }
  }

  /// Where a job is by the output of the `show` command; `code`: its exit status, nil without one.
  ///
  /// Some systems also show jobs that have ended, in the format of their list.
  package func whereabouts(_ code: Int32?, _ output: [UInt8]) -> QueueWhereabouts {
    switch code {
    case 0: rows(in: output)?.first { $0.isOver }.map { .over($0) } ?? .there
    case nil: .unknown
    default: saysGone(output) ? .nowhere : .unknown
    }
  }

  private func row(_ id: String, _ state: String) -> QueueRow {
    let word = SafeText.shown(state)
    let phase = phases.first { groups(of: $0.pattern, in: Array(state.utf8)) != nil }?.phase
    var row = QueueRow(id: id, name: "", state: word, phase: phase ?? .unknown)
    row.hasNode = row.isRunning
    if row.isPending { row.reason = QueueReason(.waits(.engine), "it waits there (\(word))") }
    return row
  }

  private func groups(of pattern: LinePattern, in line: [UInt8]) -> [String]? {
    var steps = Self.steps
    return pattern.groups(in: line, steps: &steps)?.map { String(decoding: $0, as: UTF8.self) }
  }
}
