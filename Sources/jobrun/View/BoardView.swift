import JobCore
import JobWire

/// The screen of `jobrun watch`: a pure function of the view model and the size.
enum BoardView {
  /// The lines of the screen, and the row of the selected job, from 0.
  struct Frame: Hashable {
    var lines: [Line] = []
    var cursor = 0
    /// Rows of the kind that is selected, which PgUp and PgDn move by.
    var pageRows = 1
  }

  /// The least number of rows for headings.
  private static let rowsWithHeadings = 14

  /// At most `rows` lines of at most `columns - 1` columns: a full line would make some terminals
  /// wrap.
  static func frame(_ model: BoardViewModel, columns: Int, rows: Int) -> Frame {
    let width = max(1, columns - 1)
    switch model.pane {
    case .jobs: return jobs(model, width: width, rows: rows)
    case .keys: return keys(width: width, rows: rows)
    case .job: return job(model, width: width, rows: rows)
    case .log(let number): return log(of: number, model, width: width, rows: rows)
    }
  }

  private static func jobs(_ model: BoardViewModel, width: Int, rows: Int) -> Frame {
    var frame = Frame(lines: [header(model, width: width)])
    let room = rows - 2
    guard room > 0 else {
      frame.lines = Array(frame.lines.prefix(max(0, rows)))
      return frame
    }
    let hasHeadings = rows >= rowsWithHeadings
    let share = Share(model, rows: room, hasHeadings: hasHeadings)
    let queued = hasHeadings ? WaitingReason(model.queued) : WaitingReason(none: model.queued)
    let parts = [
      (nil, model.active, share.active), (queued.heading, queued.section, share.queued),
      ("Ended", model.ended, share.ended),
    ]
    for (heading, section, rows) in parts where section.count > 0 && rows > 0 {
      if let heading, hasHeadings { frame.lines += [Line(), Line(heading, .faint).cut(to: width)] }
      add(section, model, rows: rows, width: width, to: &frame)
    }
    if model.active.count + model.queued.count + model.ended.count == 0 {
      let text =
        model.filter.isEmpty
        ? "no jobs yet. Try: jobrun run -- COMMAND" : "no job matches the filter"
      frame.lines.append(Line(text, .faint).cut(to: width))
    }
    while frame.lines.count < rows - 1 { frame.lines.append(Line()) }
    frame.lines.append(footer(model, width: width))
    return frame
  }

  private static func add(
    _ section: BoardViewModel.Section, _ model: BoardViewModel, rows: Int, width: Int,
    to frame: inout Frame
  ) {
    let isCut = section.count > rows
    let shown = isCut ? max(0, rows - 1) : rows
    let place = section.items.firstIndex { $0.row == model.selected }
    let isAlone = isCut && rows == 1 && place != nil
    let count = isAlone ? 1 : shown
    let start = max(0, min((place ?? 0) - count + 1, section.items.count - count))
    let seen = Array(section.items.dropFirst(start).prefix(count))
    if place != nil { frame.pageRows = max(1, seen.count) }
    let columns = Columns(seen, width: width)
    for item in seen {
      let isSelected = item.row == model.selected
      if isSelected { frame.cursor = frame.lines.count }
      frame.lines.append(row(item, isSelected: isSelected, columns, width: width))
    }
    guard isCut, !isAlone else { return }
    frame.lines.append(Line("  … and \(section.count - count) more", .faint).cut(to: width))
  }

  /// The column widths of a section.
  private struct Columns {
    var number = 0
    var live = LiveView.Columns()

    init(_ items: [BoardItem], width: Int) {
      let live = items.filter { $0.model.job.state != .ended }.map { BoardView.shown($0) }
      guard !live.isEmpty else { return }
      number = items.map { BoardView.number($0).count }.max() ?? 0
      self.live = LiveView.Columns(live, width: max(1, width - 3 - number))
    }
  }

  /// `12`, and of a batch whether it is open.
  private static func number(_ item: BoardItem) -> String {
    guard let isOpen = item.isOpen else { return "\(item.model.job.number)" }
    return isOpen ? "▾" : "▸"
  }

  /// Below its batch a job stands a little to the right.
  private static func shown(_ item: BoardItem) -> JobViewModel {
    guard item.isMember else { return item.model }
    var model = item.model
    model.job.title = "  " + model.job.title
    return model
  }

  private static func row(
    _ item: BoardItem, isSelected: Bool, _ columns: Columns, width: Int
  ) -> Line {
    var line = Line(isSelected ? ">" : " ", .strong)
    if item.isMarked {
      line.append("*", .warning)
    } else {
      line.append(item.isNew ? "!" : " ", .bad)
    }
    let model = shown(item)
    if model.job.state == .ended {
      if item.isMember { line.append("  ") }
      let ended = item.isOpen == nil ? Receipt.line(item.model.job) : endedBatch(item)
      for piece in ended.pieces { line.append(piece.text, piece.style) }
      return line.cut(to: width)
    }
    let number = number(item)
    let blank = String(repeating: " ", count: max(0, columns.number - number.count))
    line.append("\(blank)\(number) ", .faint)
    let rest = LiveView.lines(model, width: max(1, width - line.width), columns: columns.live)
    for piece in rest.first?.pieces ?? [] { line.append(piece.text, piece.style) }
    return line.cut(to: width)
  }

  /// `✗ ▸ Render frame … (50): 5 failed, 45 succeeded`.
  private static func endedBatch(_ item: BoardItem) -> Line {
    let (job, tally) = (item.model.job, item.model.tally ?? .init())
    let style: Line.Style =
      tally.failed > 0 ? .bad : tally.cancelled > 0 ? .warning : .good
    var line = Line(tally.failed > 0 ? "✗ " : tally.cancelled > 0 ? "■ " : "✓ ", style)
    line.append("\(number(item)) ", .faint)
    line.append(SafeText.shown(job.title), .strong)
    let succeeded = Int(clamping: job.progress?.total ?? 0) - tally.failed - tally.cancelled
    let parts = [
      tally.failed > 0 ? "\(tally.failed) failed" : nil,
      tally.cancelled > 0 ? "\(tally.cancelled) cancelled" : nil,
      succeeded > 0 ? "\(succeeded) succeeded" : nil,
    ]
    line.append(": " + parts.compactMap { $0 }.joined(separator: ", "))
    return line
  }

  private static func header(_ model: BoardViewModel, width: Int) -> Line {
    if model.isLost { return Line("runner lost; reconnecting…", .warning).cut(to: width) }
    if let notice = model.notice {
      return Line(SafeText.shown(notice), .warning).cut(to: width)
    }
    if model.isReading { return Line("reading the jobs…", .faint).cut(to: width) }
    var line = Line("\(model.running) running, \(model.waiting) waiting", .strong)
    if model.paused > 0 { line.append(", \(model.paused) paused", .warning) }
    if model.asking > 0 {
      line.append(
        model.asking == 1 ? ", 1 question" : ", \(model.asking) questions", .warning)
    }
    if model.failed > 0 { line.append(", \(model.failed) failed since you looked", .bad) }
    if model.marked > 0 { line.append(", \(model.marked) marked", .warning) }
    if !model.filter.isEmpty {
      line.append(" with \(model.filter.text.quoted)", .warning)
    }
    return line.cut(to: width)
  }

  /// The open question, the text being typed, or the help on keys.
  static func footer(_ model: BoardViewModel, width: Int) -> Line {
    guard model.takesKeys else { return Line("Ctrl-C leaves", .faint).cut(to: width) }
    if let question = model.question {
      let room = width - question.keys.utf8.count
      return Line(TextWidth.start(of: question.text, fitting: room) + question.keys, .strong)
        .cut(to: width)
    }
    if let retitling = model.retitling {
      return typed(retitling.text, after: "title of \(retitling.job): ", width: width)
    }
    if model.filter.isTyped { return typed(model.filter, width: width) }
    return KeyHints(model).line(width: width)
  }

  static func typed(_ text: TypedText, after head: String = "/", width: Int) -> Line {
    let room = width - TextWidth.of(head) - 1
    let end = TextWidth.end(of: SafeText.shown(text.text), fitting: room)
    return Line("\(head)\(end)_", .strong).cut(to: width)
  }
}

extension BoardView {
  /// The first of these texts that fits.
  static func fitting(_ texts: [String], width: Int) -> Line {
    let text = texts.first { TextWidth.of($0) <= width } ?? texts[texts.count - 1]
    return Line(text, .faint).cut(to: width)
  }

  /// The number of rows for each kind of jobs: running ones come first, but never hide all others.
  private struct Share {
    var active: Int
    var queued: Int
    var ended: Int

    init(_ model: BoardViewModel, rows: Int, hasHeadings: Bool) {
      let others = [model.queued, model.ended].count { $0.count > 0 }
      let room = max(1, rows - (hasHeadings ? 2 * others : 0))
      let minimumQueued = min(model.queued.count, max(1, room / 4))
      let minimumEnded = min(model.ended.count, max(1, room / 5))
      active = min(model.active.count, max(1, room - minimumQueued - minimumEnded))
      queued = min(model.queued.count, max(0, room - active - minimumEnded))
      ended = min(model.ended.count, max(0, room - active - queued))
    }
  }
}
