import JobCore
import JobWire

/// The table of `jobrun resources --on`: a line for each machine, and one for each of its GPUs.
enum MachineTable {
  private static let titles = ["machine", "slots", "processors", "memory", "disk", "gpu"]

  static func lines(_ machines: [MachineReport], width: Int?) -> [Line] {
    let rows = [titles] + machines.map(cells)
    let widths = titles.indices.map { column in
      rows.reduce(0) { max($0, TextWidth.of($1[column])) }
    }
    var lines = [line(rows[0], widths, .faint).cut(to: width)]
    for (machine, row) in zip(machines, rows.dropFirst()) {
      lines.append(line(row, widths, .plain).cut(to: width))
      lines += devices(of: machine).map { Line("  " + $0).cut(to: width) }
      if let trouble = machine.trouble {
        lines.append(Line("  it does not answer: " + SafeText.shown(trouble)).cut(to: width))
      }
    }
    return lines
  }

  private static func cells(_ machine: MachineReport) -> [String] {
    let slots = "\(machine.slotsUsed) of \(machine.slotsTotal) taken"
    guard let has = machine.resources else { return [machine.machine, slots, "", "", "", ""] }
    let reserved = has.processorsReserved > 0 ? ", \(has.processorsReserved) reserved" : ""
    let taken = has.devices.count { $0.leasedBy != nil || $0.processes > 0 }
    return [
      machine.machine, slots, "\(has.processors)\(reserved)", amount(has.memory), amount(has.disk),
      has.devices.isEmpty ? "none" : "\(taken) of \(has.devices.count) taken",
    ]
  }

  private static func amount(_ amount: ResourcesReport.Amount) -> String {
    let reserved = amount.reservedBytes ?? 0
    return "\(BinarySize.format(amount.freeBytes)) of \(BinarySize.format(amount.totalBytes)) free"
      + (reserved > 0 ? ", \(BinarySize.format(reserved)) reserved" : "")
  }

  private static func devices(of machine: MachineReport) -> [String] {
    (machine.resources?.devices ?? []).enumerated().map {
      "gpu \($0): \(ResourceFacts.device($1))"
    }
  }

  private static func line(_ cells: [String], _ widths: [Int], _ style: Line.Style) -> Line {
    var line = Line()
    for column in cells.indices {
      let isLast = column == cells.count - 1
      let padding = isLast ? 0 : widths[column] - TextWidth.of(cells[column]) + 2
      line.append(cells[column] + String(repeating: " ", count: padding), style)
    }
    return line
  }
}
