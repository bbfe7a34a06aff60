import JobCore
import JobWire

/// The screen of `jobrun watch`: a pure function of what is known and the size.
enum BoardView {
  /// What stands on the screen, and the row of the job that is selected, from 0.
  struct Frame: Hashable {
    var lines: [Line] = []
    var cursor = 0
  }

  /// From so many rows on there is room for headings.
  private static let rowsWithHeadings = 14

  /// At most `rows` lines of at most `columns - 1` columns: a full line would make some terminals
  /// wrap.
  static func frame(_ glance: BoardViewModel, columns: Int, rows: Int) -> Frame {
    let width = max(1, columns - 1)
    switch glance.pane {
    case .jobs: return jobs(glance, width: width, rows: rows)
    case .keys: return keys(width: width, rows: rows)
    case .log(let number): return log(of: number, glance, width: width, rows: rows)
    }
  }

  private static func jobs(_ glance: BoardViewModel, width: Int, rows: Int) -> Frame {
    var frame = Frame(lines: [header(glance, width: width)])
    let room = rows - 2
    guard room > 0 else {
      frame.lines = Array(frame.lines.prefix(max(0, rows)))
      return frame
    }
    let hasHeadings = rows >= rowsWithHeadings
    let share = Share(glance, rows: room, hasHeadings: hasHeadings)
    let queued = hasHeadings ? WaitingReason(glance.queued) : WaitingReason(none: glance.queued)
    let parts = [
      (nil, glance.active, share.active), (queued.heading, queued.section, share.queued),
      ("Ended", glance.ended, share.ended),
    ]
    for (heading, section, rows) in parts where section.count > 0 && rows > 0 {
      if let heading, hasHeadings { frame.lines += [Line(), Line(heading, .faint).cut(to: width)] }
      add(section, glance, rows: rows, width: width, to: &frame)
    }
    if glance.active.count + glance.queued.count + glance.ended.count == 0 {
      let text =
        glance.filter.isEmpty
        ? "no jobs yet. Try: jobrun run -- COMMAND" : "no job matches the filter"
      frame.lines.append(Line(text, .faint).cut(to: width))
    }
    while frame.lines.count < rows - 1 { frame.lines.append(Line()) }
    frame.lines.append(footer(glance, width: width))
    return frame
  }

  private static func add(
    _ section: BoardViewModel.Section, _ glance: BoardViewModel, rows: Int, width: Int,
    to frame: inout Frame
  ) {
    let isCut = section.count > rows
    let shown = isCut ? max(0, rows - 1) : rows
    let place = section.jobs.firstIndex { $0.job.number == glance.selected }
    let isAlone = isCut && rows == 1 && place != nil
    let count = isAlone ? 1 : shown
    let start = max(0, min((place ?? 0) - count + 1, section.jobs.count - count))
    let seen = Array(section.jobs.dropFirst(start).prefix(count))
    let columns = Columns(seen, width: width)
    for job in seen {
      if job.job.number == glance.selected { frame.cursor = frame.lines.count }
      frame.lines.append(
        row(job, isSelected: job.job.number == glance.selected, columns, width: width))
    }
    guard isCut, !isAlone else { return }
    frame.lines.append(Line("  … and \(section.count - count) more", .faint).cut(to: width))
  }

  /// What the rows of a section have in common.
  private struct Columns {
    var number = 0
    var live = LiveView.Columns()

    init(_ jobs: [JobViewModel], width: Int) {
      let live = jobs.filter { $0.job.state != .ended }
      guard !live.isEmpty else { return }
      number = live.map { "\($0.job.number)".count }.max() ?? 0
      let room = max(1, width - 3 - number)
      self.live.title = LiveView.titleWidth(live, width: room)
      self.live.bar =
        live.compactMap { LiveView.barWidth($0, width: room, columns: self.live) }.min()
    }
  }

  private static func row(
    _ glance: JobViewModel, isSelected: Bool, _ columns: Columns, width: Int
  ) -> Line {
    var line = Line(isSelected ? "> " : "  ", .strong)
    if glance.job.state == .ended {
      for piece in Receipt.line(glance.job).pieces { line.append(piece.text, piece.style) }
      return line.cut(to: width)
    }
    let number = "\(glance.job.number)"
    let blank = String(repeating: " ", count: max(0, columns.number - number.count))
    line.append("\(blank)\(number) ", .faint)
    let rest = LiveView.lines(glance, width: max(1, width - line.width), columns: columns.live)
    for piece in rest.first?.pieces ?? [] { line.append(piece.text, piece.style) }
    return line.cut(to: width)
  }

  private static func header(_ glance: BoardViewModel, width: Int) -> Line {
    if glance.isLost { return Line("runner lost; reconnecting…", .warning).cut(to: width) }
    if let notice = glance.notice {
      return Line(SafeText.shown(notice), .warning).cut(to: width)
    }
    var line = Line("\(glance.active.count) running, \(glance.queued.count) waiting", .strong)
    if glance.asking > 0 {
      line.append(glance.asking == 1 ? ", 1 asks" : ", \(glance.asking) ask", .warning)
    }
    if !glance.filter.isEmpty {
      line.append(" with \(glance.filter.text.quoted)", .warning)
    }
    return line.cut(to: width)
  }

  private static func footer(_ glance: BoardViewModel, width: Int) -> Line {
    guard glance.takesKeys else { return Line("Ctrl-C leaves", .faint).cut(to: width) }
    if let asked = glance.confirmation {
      let verb = asked.now ? "kill" : "cancel"
      let tail = " [y/n]"
      let title = "\(verb) job \(asked.job.number), \(SafeText.shown(asked.job.title))?"
      let room = width - tail.utf8.count
      return Line(TextWidth.start(of: title, fitting: room) + tail, .strong).cut(to: width)
    }
    if glance.filter.isTyped {
      let typed = TextWidth.end(of: SafeText.shown(glance.filter.text), fitting: width - 2)
      return Line("/\(typed)_", .strong).cut(to: width)
    }
    let undo = glance.filter.isEmpty ? "/ filter" : "Esc all jobs"
    let texts = [
      "Enter attach   l log   \(undo)   c cancel   y/n answer   ? keys   q or Ctrl-C leave",
      "Enter attach  l log  \(undo)  c cancel  y/n answer  ? keys  q leave",
      "Enter attach  l log  c cancel  ? keys", "? keys  q quit", "? q",
    ]
    return fitting(texts, width: width)
  }
}

extension BoardView {
  /// The first of these texts that fits.
  static func fitting(_ texts: [String], width: Int) -> Line {
    let text = texts.first { TextWidth.of($0) <= width } ?? texts[texts.count - 1]
    return Line(text, .faint).cut(to: width)
  }

  /// How many rows each kind of jobs gets: what runs comes first, but never hides all of the rest.
  private struct Share {
    var active: Int
    var queued: Int
    var ended: Int

    init(_ glance: BoardViewModel, rows: Int, hasHeadings: Bool) {
      let others = [glance.queued, glance.ended].count { $0.count > 0 }
      let room = max(1, rows - (hasHeadings ? 2 * others : 0))
      let minimumQueued = min(glance.queued.count, max(1, room / 4))
      let minimumEnded = min(glance.ended.count, max(1, room / 5))
      active = min(glance.active.count, max(1, room - minimumQueued - minimumEnded))
      queued = min(glance.queued.count, max(0, room - active - minimumEnded))
      ended = min(glance.ended.count, max(0, room - active - queued))
    }
  }
}
