import JobCore
import JobWire

/// The table of `jobrun history`: the job, its outcome, its end, its length, and the reason.
enum HistoryTable {
  private static let titleWidest = 32
  private static let titleNarrowest = 8
  /// The width of the reason before other columns shrink.
  private static let noteUsual = 24

  private struct Row {
    var job: JobStatus
    var number: String
    var title: String
    var when: String
    var length: String
    var note: String
  }

  private struct Widths {
    var number = 0
    var title = 0
    var when = 0
    var length = 0

    init(_ rows: [Row], cut: Bool) {
      for row in rows {
        number = max(number, row.number.count)
        let width = TextWidth.of(row.title)
        title = max(title, cut ? min(HistoryTable.titleWidest, width) : width)
        when = max(when, row.when.count)
        length = max(length, row.length.count)
      }
    }

    /// Columns up to the note: number, mark, title, when and length with the gaps between them.
    private var whole: Int { number + 3 + title + 2 + when + 2 + length + 2 }

    /// Makes room: the title shrinks first, then the length goes, then the time.
    mutating func fit(into width: Int, note: Int) {
      let wanted = width - min(note, HistoryTable.noteUsual)
      if whole > wanted {
        title = max(min(title, HistoryTable.titleNarrowest), title - (whole - wanted))
      }
      if whole > width { length = 0 }
      if whole > width { when = 0 }
    }
  }

  /// One line for each job, in order: `4 ✗ Export  Sat 14:02  8.8 s  No space left on device`.
  ///
  /// `width` is that of the terminal; nil without one, and lines are not cut.
  static func lines(_ jobs: [JobStatus], width: Int?, now: WallTime) -> [Line] {
    let rows = jobs.map { job in
      Row(
        job: job, number: "\(job.number)", title: Receipt.title(job),
        when: ShownTime.past(job.ended ?? job.submitted, now: now), length: length(job) ?? "",
        note: note(job) ?? "")
    }
    var widths = Widths(rows, cut: width != nil)
    if let width { widths.fit(into: width, note: rows.map { TextWidth.of($0.note) }.max() ?? 0) }
    return rows.map { line($0, widths).cut(to: width) }
  }

  private static func line(_ row: Row, _ widths: Widths) -> Line {
    var line = Line(String(repeating: " ", count: widths.number - row.number.count))
    line.append(row.number + " ", .strong)
    line.append(Receipt.mark(row.job) + " ", Receipt.style(row.job))
    let title = TextWidth.start(of: row.title, fitting: widths.title)
    line.append(TextWidth.padded(title, to: widths.title))
    if widths.when > 0 { line.append("  " + TextWidth.padded(row.when, to: widths.when), .faint) }
    if widths.length > 0 {
      line.append("  " + String(repeating: " ", count: widths.length - row.length.count))
      line.append(row.length)
    }
    if !row.note.isEmpty { line.append("  " + row.note) }
    return line
  }

  private static func length(_ job: JobStatus) -> String? {
    Receipt.runningSeconds(job).map(QuantityText.length)
  }

  /// The result: its last message or amount, or the reason of its failure.
  static func note(_ job: JobStatus) -> String? {
    let reason = Receipt.reason(job)
    switch job.outcome {
    case .succeeded: return reason ?? Receipt.amount(job)
    case .failed: return reason ?? Receipt.status(job)
    case .refused, nil: return reason ?? job.outcome?.rawValue
    case .cancelled, .expired, .interrupted: return joined(job.outcome?.rawValue ?? "", reason)
    }
  }

  private static func joined(_ word: String, _ reason: String?) -> String {
    reason.map { "\(word): \($0)" } ?? word
  }

  /// How many ended in which way, and how long they ran: `12 jobs: 9 succeeded, 2 failed, 1 cancelled; 3 h 12 min
  /// in all`; nil for fewer than two.
  static func text(_ totals: [OutcomeTotal]) -> String? {
    let count = totals.jobCount
    guard count > 1 else { return nil }
    let counts = totals.map { "\($0.count) \($0.outcome.rawValue)" }
    let seconds = totals.reduce(0) { $0 + Double($1.milliseconds) / 1_000 }
    return "\(QuantityText.grouped(count)) jobs: \(counts.joined(separator: ", "));"
      + " \(QuantityText.length(seconds)) in all"
  }
}

extension [OutcomeTotal] {
  var jobCount: Int { reduce(0) { $0 + $1.count } }
}
