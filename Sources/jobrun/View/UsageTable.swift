import JobWire

/// The table of `jobrun usage`: the usage of each group of ended jobs, with a bar for its share.
enum UsageTable {
  private static let nameWidest = 32
  private static let barWidest = 20
  /// The least useful width of a bar.
  private static let barNarrowest = 6
  private static let titles = [
    "", "jobs", "failed", "cancelled", "ran", "processor", "memory", "on engines", "gpu", "read",
    "written", "energy",
  ]
  /// These are there even where no row has anything in them.
  private static let usual: Set<String> = ["", "jobs", "failed", "ran", "processor", "memory"]

  /// A line of titles, then one for each group: `export  3  0  24 min 2 s  41 min 10 s  774 MiB  ━━━━── 62 %`.
  ///
  /// `width` is that of the terminal; nil without one, and lines are not cut.
  static func lines(_ report: UsageReport, width: Int?) -> [Line] {
    let sums = report.rows
    let cells = sums.map { Self.cells($0, nameWidest: width == nil ? .max : nameWidest) }
    let columns = titles.indices.filter { column in
      usual.contains(titles[column]) || cells.contains { !$0[column].isEmpty }
    }
    let table = ([titles] + cells).map { row in columns.map { row[$0] } }
    let widths = columns.indices.map { column in
      table.reduce(0) { max($0, TextWidth.of($1[column])) }
    }
    let whole = widths.reduce(2 * (widths.count - 1)) { $0 + $1 }
    // Two spaces before the bar; a space and `100 %` behind it.
    let bar = min(barWidest, (width ?? .max) - whole - 8)
    return table.indices.map { row in
      var line = aligned(table[row], widths, row == 0 ? .faint : .plain)
      if row > 0 { append(report.share(sums[row - 1]), bar, to: &line) }
      return line.cut(to: width)
    }
  }

  private static func cells(_ sum: UsageSum, nameWidest: Int) -> [String] {
    [
      TextWidth.start(of: SafeText.shown(sum.name), fitting: nameWidest), "\(sum.jobs)",
      sum.failed > 0 ? "\(sum.failed)" : "", sum.cancelled > 0 ? "\(sum.cancelled)" : "",
      QuantityText.length(sum.seconds), QuantityText.length(sum.cpuSeconds),
      sum.maxResidentBytes > 0 ? BinarySize.format(sum.maxResidentBytes) : "",
      sum.engineCPUSeconds > 0 ? QuantityText.length(sum.engineCPUSeconds) : "",
      sum.gpuSeconds > 0 ? QuantityText.length(sum.gpuSeconds) : "",
      bytes(sum.bytesRead), bytes(sum.bytesWritten),
      sum.energy.map { (sum.energyIsWhole ? "" : "\u{2265} ") + QuantityText.energy($0) } ?? "",
    ]
  }

  private static func bytes(_ count: UInt64) -> String {
    count > 0 ? QuantityText.bytes(count) : ""
  }

  private static func aligned(_ cells: [String], _ widths: [Int], _ style: Line.Style) -> Line {
    var line = Line(TextWidth.padded(cells[0], to: widths[0]), style)
    for (cell, width) in zip(cells, widths).dropFirst() {
      line.append(String(repeating: " ", count: 2 + width - TextWidth.of(cell)) + cell, style)
    }
    return line
  }

  private static func append(_ share: Double, _ width: Int, to line: inout Line) {
    guard width >= barNarrowest else { return }
    let thousandths = UInt64(share * 1000)
    line.append("  ")
    for piece in ProgressBar.pieces(completed: thousandths, total: 1000, width: width) {
      line.append(piece.text, piece.style)
    }
    line.append(" " + QuantityText.percent(thousandths, of: 1000))
  }

  /// `15 jobs: 37 min 2 s in all, 55 min 31 s of processor time`.
  static func total(_ report: UsageReport) -> Line {
    let total = report.total
    return Line(
      "\(total.jobs == 1 ? "1 job" : "\(total.jobs) jobs"): \(QuantityText.length(total.seconds))"
        + " in all, \(QuantityText.length(total.cpuSeconds)) of processor time"
        + (total.engineCPUSeconds > 0
          ? ", and \(QuantityText.length(total.engineCPUSeconds)) on engines" : ""))
  }
}
