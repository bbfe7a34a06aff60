import JobClient
import JobCore
import JobWire

extension JobTable {
  /// A job's row before the layout of its page.
  struct Row {
    private static let barWidth = 10
    /// Number, state, progress, title, group, engine, since.
    private var cells: [String]
    /// The widths of the cells.
    private(set) var widths: [Int]
    /// Of a job of a batch: the key of that, and the whole title.
    let batch: (key: BatchKey, title: String)?
    /// The last cell, which may be cut.
    private let identifier: String
    private let style: Line.Style
    /// The place in the queue; rows without one come last.
    let position: Int
    /// The reason of a job in line, which other jobs may share.
    let sharable: String?
    /// A reason or question of this job alone.
    private let own: String?
    /// Whether it is several jobs.
    let isFolded: Bool

    init(_ job: JobStatus, at now: Moment) {
      let title = SafeText.shown(job.title)
      batch = BatchKey(job).map { ($0, title) }
      cells = [
        "\(job.number)", Self.state(job), Self.progress(job), title, Self.group(job),
        Self.place(job), Self.since(job, at: now),
      ]
      widths = cells.map { TextWidth.of($0) }
      identifier = job.identifier
      style = Self.style(job)
      position = job.position ?? .max
      let isTimed = PendingTable.time(job, at: now) != nil
      let time = isTimed ? PendingTable.sentence(job, at: now) : nil
      sharable = job.state == .queued && time == nil ? job.pendingReason?.message : nil
      own = sharable == nil ? Self.own(job, time, at: now) : nil
      isFolded = false
    }

    /// All listed jobs of one submission.
    init(_ batch: JobTable.Fold, at now: Moment) {
      self.batch = nil
      cells = [
        batch.numbers, batch.states, batch.progress, SafeText.shown(batch.title),
        Self.group(batch.first), "", batch.time(at: now),
      ]
      widths = cells.map { TextWidth.of($0) }
      identifier = "\(batch.stem).*"
      style = batch.failed > 0 ? .bad : batch.running > 0 ? .good : .plain
      position = batch.position
      sharable = nil
      own = batch.running > 0 ? nil : batch.reason
      isFolded = true
    }

    /// Leaves out the part of its title that the other jobs of its batch have, too; what is too wide is cut.
    mutating func fitTitle(_ shared: BatchTitle?, widest: Int?) {
      if let shared, shared.sharedCount > 0, let batch {
        cells[3] = "… " + batch.title.dropFirst(shared.sharedCount)
      }
      if let widest { cells[3] = TextWidth.start(of: cells[3], fitting: widest) }
      widths[3] = TextWidth.of(cells[3])
    }

    /// The reason or question, if it is shown for this job alone.
    var note: String? {
      guard let sharable else { return own }
      let place = position == .max ? "" : "#\(position) in the queue: "
      return place + SafeText.shown(sharable)
    }

    func line(_ columns: [Int], width: Int?) -> Line {
      var line = Line(String(repeating: " ", count: columns[0] - widths[0]))
      line.append(cells[0] + "  ", .strong)
      line.append(padded(1, columns), style)
      for column in 2..<cells.count where columns[column] > 0 {
        line.append(padded(column, columns))
      }
      line.append(identifier, .faint)
      return line.cut(to: width)
    }

    private func padded(_ column: Int, _ columns: [Int]) -> String {
      cells[column] + String(repeating: " ", count: max(0, columns[column] - widths[column]) + 2)
    }

    /// With its priority where that is not as usual and still matters.
    private static func state(_ job: JobStatus) -> String {
      if let outcome = job.outcome { return outcome.rawValue }
      return job.state.rawValue + (job.shownPriority.map { ", \($0)" } ?? "")
    }

    static func progress(_ job: JobStatus) -> String {
      guard let progress = job.progress else { return "" }
      guard progress.total > 0 else {
        return QuantityText.amount(progress.completed, of: 0, progress.unit)
      }
      guard !progress.goesOn else { return QuantityText.whole(progress) }
      let (completed, total) = progress.drawn
      let bar = ProgressBar.pieces(completed: completed, total: total, width: barWidth)
      let note = progress.source == .file ? nil : progress.note.map { " \(SafeText.shown($0))" }
      return bar.map { $0.text }.joined() + " " + QuantityText.percent(completed, of: total)
        + (note ?? "")
    }

    /// Where it runs, unless that is here and nothing else was asked for.
    private static func place(_ job: JobStatus) -> String {
      guard job.terms.engine != nil || job.terms.pool != nil else { return "" }
      return "on \(SafeText.shown(job.terms.engine ?? EngineName.here))"
    }

    /// As the verbs accept it.
    private static func group(_ job: JobStatus) -> String {
      job.terms.group.map { "group:\(SafeText.shown($0))" } ?? ""
    }

    private static func since(_ job: JobStatus, at now: Moment) -> String {
      guard let ended = job.ended else { return QuantityText.clock(now.spent(on: job)) }
      return "\(QuantityText.clock(now.since(ended))) ago"
    }

    /// `time`: the awaited time with its reason.
    private static func own(_ job: JobStatus, _ time: String?, at now: Moment) -> String? {
      let text: String? =
        if let prompt = job.prompt {
          "\(prompt.question) jobrun continue \(job.number), or --no"
        } else if let time {
          time
        } else if job.state == .stopping {
          Receipt.stopReason(job)
        } else {
          job.warning ?? job.pauseLeft(at: now).map(PauseText.resumes)
        }
      return text.map { SafeText.shown($0) }
    }

    private static func style(_ job: JobStatus) -> Line.Style {
      switch (job.state, job.outcome) {
      case (.running, _), (_, .succeeded): .good
      case (_, .failed), (_, .refused): .bad
      case (.stalled, _), (.paused, _), (.stopping, _), (.ended, _): .warning
      case (.queued, _), (.launching, _): .plain
      }
    }
  }
}
