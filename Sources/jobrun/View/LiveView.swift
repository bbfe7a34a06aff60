import JobCore
import JobWire

/// The live line of one job.
///
/// `LiveView.lines` is a pure function of the view model and the width: the writer compares and emits, and
/// decides about colour.
enum LiveView {
  /// The column widths of a table, independent of its rows' texts; nil = as for a single line.
  struct Columns: Hashable {
    var title: Int?
    /// 0 = there is no bar.
    var bar: Int?
    var amount: Int?
    /// Whether there is a percentage; an amount beside it may repeat it.
    var hasPercent = true

    /// By the columns of a row: no row's text changes it.
    private static let bars: [(columns: Int, bar: Int)] = [
      (40, 5), (55, 8), (65, 10), (100, 14), (150, 24),
    ]

    init() {}

    /// For these jobs in rows of `width` columns.
    init(_ glances: [JobViewModel], width: Int) {
      title = glances.map { TextWidth.of(LiveView.title(of: $0)) }.max()
        .map { min($0, max(8, width / 3)) }
      bar = Self.bars.last(where: { $0.columns <= width })?.bar ?? 0
      amount = glances.map(LiveView.amountWidth).max().map { min($0, 16) }
      hasPercent = width >= 70
    }
  }

  /// At most one line of at most `width` columns, and a second one for a notice.
  static func lines(_ glance: JobViewModel, width: Int, columns: Columns = Columns()) -> [Line] {
    let layout = layout(glance, width: width, columns)
    let notice = (glance.notice ?? glance.job.warning).map { text in
      Line(TextWidth.start(of: SafeText.shown(text), fitting: width), .warning)
    }
    return [layout.line()] + (notice.map { [$0] } ?? [])
  }

  private static func layout(_ glance: JobViewModel, width: Int, _ columns: Columns) -> RowLayout {
    var layout = RowLayout(width: width)
    let title = title(of: glance)
    layout.add(
      columns.title.map { TextWidth.start(of: title, fitting: $0) } ?? title, .title,
      width: columns.title ?? 0)
    switch glance.job.state {
    case .queued: addQueued(glance, to: &layout)
    case .launching: layout.add("starting…", .reason)
    case .running: addRunning(glance, columns, to: &layout)
    case .stalled: addStalled(glance, columns, to: &layout)
    case .paused: addPaused(glance, columns, to: &layout)
    case .stopping: addStopping(glance, columns, to: &layout)
    case .ended: layout.add(glance.job.outcome?.rawValue ?? "ended", .reason)
    }
    return layout
  }

  fileprivate static func title(of glance: JobViewModel) -> String {
    let title = SafeText.shown(glance.job.title)
    return title.isEmpty ? "job \(glance.job.number)" : title
  }

  private static func addQueued(_ glance: JobViewModel, to layout: inout RowLayout) {
    if let tally = glance.tally { layout.add("\(tally.waiting) waiting", .state(.plain)) }
    if let position = glance.job.position { layout.add("waiting, #\(position)", .state(.plain)) }
    guard !glance.hidesReason else { return }
    layout.add(glance.job.pendingReason.map { SafeText.shown($0.message) } ?? "", .reason)
  }

  private static func addRunning(
    _ glance: JobViewModel, _ columns: Columns, to layout: inout RowLayout
  ) {
    addCounts(glance, columns, to: &layout)
    if let tally = glance.tally {
      for (text, sign, style) in tally.parts {
        layout.add(text, .state(style), short: (sign, TextWidth.of(sign)))
      }
    }
    if let unchanged = glance.unchanged {
      let clock = QuantityText.clock(unchanged)
      let short = "no change \(clock)"
      layout.add(
        "no change for \(clock)", .state(.warning), short: (short, TextWidth.of(short)))
      if glance.remaining != nil { addTime(glance, to: &layout) }
    } else {
      if let progress = glance.job.progress, glance.tally == nil {
        let rate = QuantityText.rate(glance.rate, progress.unit) ?? ""
        layout.add(rate, .rate, width: rateWidth(progress.unit))
      }
      addTime(glance, to: &layout)
    }
    let note = glance.job.progress.flatMap { $0.source == .file ? $0.note : nil }
    let subtitle = glance.job.subtitle.isEmpty ? note ?? "" : glance.job.subtitle
    let place = glance.showsPlace ? JobFacts.place(of: glance.job).map { "on \($0)" } : nil
    let words = [place, subtitle].compactMap { $0 }.filter { !$0.isEmpty }
    layout.add(SafeText.shown(words.joined(separator: "  ")), .subtitle)
  }

  private static func rateWidth(_ unit: JobProgress.Unit) -> Int {
    unit == .bytes ? "99.9 MB/s".count : "9.9/s".count
  }

  private static func addTime(_ glance: JobViewModel, to layout: inout RowLayout) {
    guard let remaining = glance.remaining else {
      return layout.add(QuantityText.clock(glance.elapsed), .time)
    }
    if let range = glance.job.progress?.etaRange {
      let text = "about \(QuantityText.range(range))"
      return layout.add("\(text) left", .time, short: (text, TextWidth.of(text)))
    }
    let text = QuantityText.timeLeft(remaining)
    layout.add(
      "\(text.long) left", .time, width: text.width + " left".count,
      short: (text.short, text.shortWidth))
  }

  private static func addStalled(
    _ glance: JobViewModel, _ columns: Columns, to layout: inout RowLayout
  ) {
    addCounts(glance, columns, to: &layout)
    let since = glance.unchanged.map { " \(QuantityText.clock($0))" } ?? ""
    layout.add("stalled\(since)", .state(.warning))
    if glance.job.prompt != nil {
      layout.add(glance.takesKeys ? "continue? [y/n]" : "continue?", .question)
    }
  }

  private static func addPaused(
    _ glance: JobViewModel, _ columns: Columns, to layout: inout RowLayout
  ) {
    addCounts(glance, columns, to: &layout)
    layout.add("paused", .state(.warning))
    if glance.job.pendingReason != nil {
      layout.add("resumes when a slot is free", .reason)
    } else if let left = glance.pauseLeft {
      layout.add(PauseText.resumes(in: left), .reason)
    } else if glance.takesKeys {
      layout.add("p resumes it", .reason)
    }
  }

  private static func addStopping(
    _ glance: JobViewModel, _ columns: Columns, to layout: inout RowLayout
  ) {
    addCounts(glance, columns, to: &layout)
    let left = glance.grace.map(seconds(left:)) ?? 0
    let countdown = left > 0 ? "killed in \(left) s" : "ending"
    layout.add("stopping, \(countdown)", .state(.warning))
    layout.add(Receipt.stopReason(glance.job) ?? "", .reason)
  }

  /// Rounded up: the last second is shown as 1.
  private static func seconds(left span: Interval) -> UInt64 {
    (span.nanoseconds + 999_999_999) / 1_000_000_000
  }

  private static func addCounts(
    _ glance: JobViewModel, _ columns: Columns, to layout: inout RowLayout
  ) {
    guard let progress = glance.job.progress else {
      if glance.job.state == .running { addSpinner(glance, columns, to: &layout) }
      return layout.addBlank(width: columns.amount ?? 0)
    }
    if progress.goesOn, glance.tally == nil {
      layout.add(spinner(glance), .state(.bar))
      return layout.add(QuantityText.whole(progress), .state(.plain))
    }
    let amount = amount(progress.completed, glance, progress)
    if progress.total > 0 {
      let (completed, total) = glance.drawn
      layout.addBar(completed: completed, total: total, width: columns.bar)
      if columns.hasPercent || amount.isEmpty {
        layout.add(QuantityText.percent(completed, of: total), .percent)
      }
    } else if glance.job.state == .running {
      addSpinner(glance, columns, to: &layout)
    }
    // A part's share must not be seen without its name.
    if let note = progress.note, progress.source != .file {
      layout.add(SafeText.shown(note), .state(.plain))
    }
    if progress.total > 0 || progress.completed > 0 {
      layout.add(amount, .amount, width: columns.amount ?? amountWidth(glance))
    }
  }

  /// In a table it stands where others have a bar.
  private static func addSpinner(
    _ glance: JobViewModel, _ columns: Columns, to layout: inout RowLayout
  ) {
    layout.add(spinner(glance), .state(.bar), width: columns.bar ?? 0)
    if columns.bar ?? 0 > 0, columns.hasPercent { layout.addBlank(width: "100 %".count) }
  }

  /// The maximum width, so that new digits do not move other columns.
  fileprivate static func amountWidth(_ glance: JobViewModel) -> Int {
    guard let progress = glance.job.progress, !progress.goesOn || glance.tally != nil else {
      return 0
    }
    return max(progress.total, progress.completed) == 0
      ? 0 : TextWidth.of(amount(max(progress.total, progress.completed), glance, progress))
  }

  /// Many jobs are counted with commas.
  private static func amount(
    _ completed: UInt64, _ glance: JobViewModel, _ progress: JobProgress
  ) -> String {
    guard glance.tally != nil else {
      return QuantityText.amount(completed, of: progress.total, progress.unit)
    }
    return "\(QuantityText.grouped(Int(completed)))/\(QuantityText.grouped(Int(progress.total)))"
  }

  private static func spinner(_ glance: JobViewModel) -> String {
    ProgressBar.spinner(frame: glance.frame)
  }
}
