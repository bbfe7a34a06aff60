import JobCore
import JobWire

extension BoardView {
  private static let keyTexts: [(keys: String, meaning: String)] = [
    ("Enter", "attach to the selected job; d comes back here"),
    ("l", "its log"),
    ("p", "pause it, or let it go on"),
    ("c", "cancel it, after asking; once more: kill it"),
    ("y n", "answer its question"),
    ("j k, arrows", "select the next, the one before"),
    ("PgUp PgDn", "a screenful on; Home, End: to the ends"),
    ("/", "only jobs with what is typed in title, definition or number"),
    ("Esc", "all jobs again; back from a log"),
    ("?", "these keys"),
    ("q, Ctrl-C", "leave; all jobs go on"),
  ]

  /// What the keys do.
  static func keys(width: Int, rows: Int) -> Frame {
    let column = keyTexts.map { $0.keys.count }.max() ?? 0
    var lines = [Line("Keys", .strong)]
    if rows > keyTexts.count + 2 { lines.append(Line()) }
    for (keys, meaning) in keyTexts {
      var line = Line("  " + TextWidth.padded(keys, to: column) + "  ", .strong)
      line.append(meaning)
      lines.append(line)
    }
    return page(lines, footer: "any key: back to the jobs", width: width, rows: rows)
  }

  /// Lines of a log that a screen of `rows` rows shows.
  static func logRows(of rows: Int) -> Int { max(1, rows - 2) }

  /// The end of a log, or an earlier part of it.
  static func log(of number: JobNumber, _ glance: BoardViewModel, width: Int, rows: Int) -> Frame {
    let room = logRows(of: rows)
    let end = max(min(room, glance.log.count), glance.log.count - glance.linesBelow)
    let seen = glance.log[max(0, end - room)..<end]
    var lines = [Line("Log of job \(number)", .strong)]
    if end < glance.log.count {
      lines[0].append(", \(glance.log.count - end) lines below", .faint)
    }
    if glance.log.isEmpty { lines.append(Line("no output yet", .faint)) }
    lines += seen.map { Line($0) }
    return page(
      lines, footer: "q or Esc: back to the jobs   arrows, PgUp, PgDn: scroll", width: width,
      rows: rows)
  }

  private static func page(_ lines: [Line], footer: String, width: Int, rows: Int) -> Frame {
    var lines = lines.prefix(max(0, rows - 1)).map { $0.cut(to: width) }
    while lines.count < rows - 1 { lines.append(Line()) }
    if rows > 0 { lines.append(Line(footer, .faint).cut(to: width)) }
    return Frame(lines: lines, cursor: max(0, rows - 1))
  }
}

/// What all or most of those that wait have in common, said once above them.
struct WaitingReason {
  let heading: String
  let section: BoardViewModel.Section

  private init(heading: String, section: BoardViewModel.Section) {
    self.heading = heading
    self.section = section
  }

  /// Each says for itself what it waits for.
  init(none section: BoardViewModel.Section) {
    self.init(heading: "Waiting", section: section)
  }

  init(_ section: BoardViewModel.Section) {
    let reasons = section.jobs.compactMap { $0.job.pendingReason?.message }
    guard let common = SharedReasons.commonest(reasons) else {
      self.init(none: section)
      return
    }
    var said = section
    for index in said.jobs.indices where said.jobs[index].job.pendingReason?.message == common {
      said.jobs[index].hidesReason = true
    }
    self.init(heading: "Waiting: \(SafeText.shown(common))", section: said)
  }
}

/// Reasons that several jobs have.
enum SharedReasons {
  /// The one that most have, at least two; the first of several.
  static func commonest(_ reasons: [String]) -> String? {
    let counts = counts(reasons)
    guard let most = counts.values.max(), most > 1 else { return nil }
    return reasons.first { counts[$0] == most }
  }

  /// How many have each.
  static func counts(_ reasons: [String]) -> [String: Int] {
    reasons.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }
}
