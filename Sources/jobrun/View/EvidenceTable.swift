import JobCore
import JobWire

/// The evidence of a job's recognised progress, for people: time, share, amount, rule, line.
///
///     14:02:11   12 %  12/100  tqdm  loading a.png:  12%|#2   | 12/100 [00:01<00:09]
enum EvidenceTable {
  static func lines(_ evidence: [ProgressEvidence]) -> [String] {
    let rows = evidence.map(cells)
    let widths = (0..<4).map { column in rows.map { TextWidth.of($0[column]) }.max() ?? 0 }
    var attempt: Int?
    return zip(evidence, rows).flatMap { one, cells in
      let isAnother = attempt.map { $0 != one.attempt } ?? (one.attempt > 1)
      attempt = one.attempt
      let row = zip(cells, widths).reduce(into: "") { row, cell in
        let room = String(repeating: " ", count: max(0, cell.1 - TextWidth.of(cell.0)))
        row += cell.0 + room + "  "
      }
      return (isAnother ? ["attempt \(one.attempt)"] : []) + [trimmed(row + cells[4])]
    }
  }

  private static func cells(_ one: ProgressEvidence) -> [String] {
    let time = ShownTime.clock(one.at)
    guard let progress = one.progress else { return [time, "", "", "nothing sure", ""] }
    let (completed, total) = progress.drawn
    let amount = QuantityText.amount(progress.completed, of: progress.total, progress.unit)
    let rule = [progress.recogniser, progress.note].compactMap { $0 }
    return [
      time, QuantityText.percent(completed, of: total), amount,
      // A file's rule is the note, too.
      SafeText.shown(
        (rule.first == rule.last ? Array(rule.prefix(1)) : rule).joined(separator: ", ")),
      progress.line.map(SafeText.shown) ?? "",
    ]
  }

  private static func trimmed(_ row: String) -> String {
    var row = row
    while row.last == " " { row.removeLast() }
    return row
  }
}
