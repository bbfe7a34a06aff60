import JobCore
import JobWire

/// The table of `jobrun list`.
enum JobTable {
  private static let barWidth = 10
  private static let titleWidest = 32

  /// One row for each job, and below it what it waits for or asks; what several wait for stands once
  /// above them, after the others.
  ///
  /// `width` is that of the terminal; nil when there is none, and nothing is cut.
  static func lines(_ jobs: [JobStatus], width: Int?, at now: Moment) -> [Line] {
    let rows = jobs.map { cells($0, at: now) }
    let widths = (0..<5).map { column in rows.map { TextWidth.of($0[column]) }.max() ?? 0 }
    let counts = SharedReasons.counts(jobs.compactMap { sharable($0, at: now) })
    var lines: [Line] = []
    var groups: [(reason: String, rows: [(position: Int, line: Line)])] = []
    for (job, cells) in zip(jobs, rows) {
      let line = row(cells, widths: widths, job: job, width: width)
      if let reason = sharable(job, at: now), counts[reason, default: 0] > 1 {
        let place = groups.firstIndex { $0.reason == reason } ?? groups.count
        if place == groups.count { groups.append((reason, [])) }
        groups[place].rows.append((job.position ?? .max, line))
        continue
      }
      lines.append(line)
      if let note = note(job, at: now) {
        let text = String(repeating: " ", count: widths[0] + 2) + note
        lines.append(Line(cut(text, to: width), .warning))
      }
    }
    for (reason, rows) in groups {
      let text = "\(rows.count) wait: \(SafeText.shown(reason))"
      lines.append(Line(cut(text, to: width), .warning))
      lines += rows.sorted { $0.position < $1.position }.map { $0.line }
    }
    return lines
  }

  /// What a job in line waits for, as others may, too.
  private static func sharable(_ job: JobStatus, at now: Moment) -> String? {
    guard job.state == .queued, PendingTable.time(job, at: now) == nil else { return nil }
    return job.pendingReason?.message
  }

  /// Number, state, progress, title, since; the identifier comes last and may be cut.
  private static func cells(_ job: JobStatus, at now: Moment) -> [String] {
    let title = SafeText.shown(job.title)
    return [
      "\(job.number)", job.outcome?.rawValue ?? job.state.rawValue, progress(job),
      TextWidth.start(of: title, fitting: titleWidest), since(job, at: now), job.identifier,
    ]
  }

  private static func row(
    _ cells: [String], widths: [Int], job: JobStatus, width: Int?
  ) -> Line {
    var line = Line()
    line.append(String(repeating: " ", count: widths[0] - cells[0].count))
    line.append(cells[0] + "  ", .strong)
    line.append(TextWidth.padded(cells[1], to: widths[1]) + "  ", style(job))
    for column in 2..<5 where widths[column] > 0 {
      line.append(TextWidth.padded(cells[column], to: widths[column]) + "  ")
    }
    line.append(cells[5], .faint)
    return line.cut(to: width)
  }

  private static func cut(_ text: String, to width: Int?) -> String {
    width.map { TextWidth.start(of: text, fitting: $0) } ?? text
  }

  private static func progress(_ job: JobStatus) -> String {
    guard let progress = job.progress else { return "" }
    guard progress.total > 0 else {
      return QuantityText.amount(progress.completed, of: 0, progress.unit)
    }
    let (completed, total) = progress.drawn
    let bar = ProgressBar.pieces(completed: completed, total: total, width: barWidth)
    let note = progress.source == .file ? nil : progress.note.map { " \(SafeText.shown($0))" }
    return bar.map { $0.text }.joined() + " " + QuantityText.percent(completed, of: total)
      + (note ?? "")
  }

  private static func since(_ job: JobStatus, at now: Moment) -> String {
    let reference = job.ended ?? job.started ?? job.submitted
    let clock = QuantityText.clock(now.since(reference))
    return job.ended == nil ? clock : "\(clock) ago"
  }

  private static func note(_ job: JobStatus, at now: Moment) -> String? {
    let text: String? =
      if let prompt = job.prompt {
        "\(prompt.question) jobrun continue \(job.number), or --no"
      } else if let time = PendingTable.time(job, at: now) {
        time
      } else if let reason = job.pendingReason {
        (job.position.map { "#\($0) in the queue: " } ?? "") + reason.message
      } else if job.state == .stopping {
        job.stopReason?.message
      } else {
        job.warning
      }
    return text.map(SafeText.shown)
  }

  private static func style(_ job: JobStatus) -> Line.Style {
    switch (job.state, job.outcome) {
    case (.running, _), (_, .succeeded): .good
    case (_, .failed), (_, .refused): .bad
    case (.stalled, _), (.stopping, _), (.ended, _): .warning
    case (.queued, _), (.launching, _): .plain
    }
  }
}

extension Line {
  /// The beginning that fits, with `…` for what is cut off.
  func cut(to width: Int?) -> Line {
    guard let width, self.width > width else { return self }
    var line = Line()
    for piece in pieces {
      let room = width - line.width
      guard room > 0 else { break }
      line.append(TextWidth.start(of: piece.text, fitting: room), piece.style)
      if TextWidth.of(piece.text) > room { break }
    }
    return line
  }
}
