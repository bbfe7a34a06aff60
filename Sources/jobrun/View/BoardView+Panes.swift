import JobCore
import JobWire

extension BoardView {
  private static let keyTexts: [(keys: String, meaning: String)] = [
    ("Enter", "open a job, or a batch; again: close"),
    ("Esc", "one step back: from a job, marks or a filter"),
    ("c", "cancel, after asking; once more: kill"),
    ("p P", "pause or resume; pause for a time"),
    ("y n", "answer its question"),
    ("l", "its log; there / searches, n and N go on"),
    ("t e", "make a waiting job the next; edit its title"),
    ("r", "run an ended job again"),
    ("f", "go to the next job that has failed"),
    ("Space, i", "mark for c, p, P and t; mark all the others"),
    ("/", "filter by title, definition or number"),
    ("s", "sort what runs by number, time or title"),
    ("j k, arrows", "the next, the one before; PgUp, PgDn, Home"),
    ("q, Ctrl-C", "leave; all jobs keep running"),
  ]

  /// The help on keys.
  static func keys(width: Int, rows: Int) -> Frame {
    let column = keyTexts.map { $0.keys.count }.max() ?? 0
    var lines: [Line] = []
    // The keys first, where rows are few.
    if rows > keyTexts.count + 1 { lines.append(Line("Keys", .strong)) }
    if rows > keyTexts.count + 2 { lines.append(Line()) }
    for (keys, meaning) in keyTexts {
      var line = Line("  " + TextWidth.padded(keys, to: column) + "  ", .strong)
      line.append(meaning)
      lines.append(line)
    }
    return page(lines, footer: Line("any key: back to the jobs", .faint), width: width, rows: rows)
  }

  /// Lines of a log that a screen of `rows` rows shows.
  static func logRows(of rows: Int) -> Int { max(1, rows - 2) }

  /// The end of a log, or an earlier part of it.
  static func log(of number: JobNumber, _ model: BoardViewModel, width: Int, rows: Int) -> Frame {
    var lines = [Line("Log of job \(number)", .strong)]
    if let place = model.logPlace { lines[0].append(", \(place)", .faint) }
    if let notice = model.notice { lines[0].append("  \(SafeText.shown(notice))", .warning) }
    lines += model.log.isEmpty ? [Line("no output yet", .faint)] : model.log
    return page(lines, footer: logFooter(model, width: width), width: width, rows: rows)
  }

  private static func logFooter(_ model: BoardViewModel, width: Int) -> Line {
    if model.search.isTyped { return typed(model.search, width: width) }
    let (back, next) =
      model.search.isEmpty ? ("Esc back", "") : ("Esc clear the search", "n next   N previous   ")
    return fitting(
      [
        "\(back)   / search   \(next)arrows, PgUp, PgDn, Home, End", "\(back)   / search   \(next)",
        model.search.isEmpty ? "Esc back  / search" : "Esc  / search  n N",
      ], width: width)
  }

  /// One job: its state, its facts, and the end of its output.
  static func job(_ model: BoardViewModel, width: Int, rows: Int) -> Frame {
    guard let item = model.opened else {
      return page(
        [Line("this job is no longer known", .faint)], footer: footer(model, width: width),
        width: width, rows: rows)
    }
    let job = item.model.job
    var lines = [Line("\(job.number) ", .faint)]
    lines[0].append(Receipt.title(job), .strong)
    if job.state == .ended {
      lines.append(Receipt.line(job))
    } else {
      var untitled = item.model
      untitled.job.title = job.state.rawValue
      untitled.takesKeys = model.takesKeys
      lines += LiveView.lines(untitled, width: width)
    }
    let facts = BoardFacts.all(job)
    let column = facts.map { $0.name.count }.max() ?? 0
    if rows > 10 { lines.append(Line()) }
    for fact in facts.prefix(max(0, rows / 2 - 4)) {
      var line = Line(TextWidth.padded(fact.name, to: column) + "  ", .faint)
      line.append(SafeText.shown(fact.value))
      lines.append(line)
    }
    if rows > 10 { lines.append(Line()) }
    if let notice = model.notice { lines[0] = Line(SafeText.shown(notice), .warning) }
    let room = rows - 1 - lines.count
    if model.log.isEmpty { lines.append(Line("no output yet", .faint)) }
    lines += model.log.suffix(max(0, room))
    return page(lines, footer: footer(model, width: width), width: width, rows: rows)
  }

  private static func page(_ lines: [Line], footer: Line, width: Int, rows: Int) -> Frame {
    var lines = lines.prefix(max(0, rows - 1)).map { $0.cut(to: width) }
    while lines.count < rows - 1 { lines.append(Line()) }
    if rows > 0 { lines.append(footer.cut(to: width)) }
    return Frame(lines: lines, cursor: max(0, rows - 1))
  }
}

/// The reason that all or most waiting jobs share, shown once above them.
struct WaitingReason {
  let heading: String
  let section: BoardViewModel.Section

  private init(heading: String, section: BoardViewModel.Section) {
    self.heading = heading
    self.section = section
  }

  /// Each job shows its own reason.
  init(none section: BoardViewModel.Section) {
    self.init(heading: "Waiting", section: section)
  }

  init(_ section: BoardViewModel.Section) {
    let reasons = section.items.compactMap { $0.model.job.pendingReason?.message }
    guard let common = SharedReasons.commonest(reasons) else {
      self.init(none: section)
      return
    }
    var said = section
    for index in said.items.indices
    where said.items[index].model.job.pendingReason?.message == common {
      said.items[index].model.hidesReason = true
    }
    self.init(heading: "Waiting: \(SafeText.shown(common))", section: said)
  }
}

/// Reasons that several jobs have.
enum SharedReasons {
  /// The most common reason, of at least two jobs; the first of several.
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
