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
    init(_ models: [JobViewModel], width: Int) {
      title = models.map { TextWidth.of(LiveView.title(of: $0)) }.max()
        .map { min($0, max(8, width / 3)) }
      bar = Self.bars.last(where: { $0.columns <= width })?.bar ?? 0
      amount = models.map(LiveView.amountWidth).max().map { min($0, 16) }
      hasPercent = width >= 70
    }
  }

  /// At most one line of at most `width` columns, and a second one for a notice.
  static func lines(_ model: JobViewModel, width: Int, columns: Columns = Columns()) -> [Line] {
    let layout = layout(model, width: width, columns)
    let notice = (model.notice ?? model.job.warning).map { text in
      Line(TextWidth.start(of: SafeText.shown(text), fitting: width), .warning)
    }
    return [layout.line()] + (notice.map { [$0] } ?? [])
  }

  private static func layout(_ model: JobViewModel, width: Int, _ columns: Columns) -> RowLayout {
    var layout = RowLayout(width: width)
    let title = title(of: model)
    layout.add(
      columns.title.map { TextWidth.start(of: title, fitting: $0) } ?? title, .title,
      width: columns.title ?? 0)
    switch model.job.state {
    case .queued: addQueued(model, to: &layout)
    case .launching: layout.add("starting…", .reason)
    case .running: addRunning(model, columns, to: &layout)
    case .stalled: addStalled(model, columns, to: &layout)
    case .paused: addPaused(model, columns, to: &layout)
    case .stopping: addStopping(model, columns, to: &layout)
    case .ended: layout.add(model.job.outcome?.rawValue ?? "ended", .reason)
    }
    return layout
  }

  fileprivate static func title(of model: JobViewModel) -> String {
    let title = SafeText.shown(model.job.title)
    return title.isEmpty ? "job \(model.job.number)" : title
  }

  private static func addQueued(_ model: JobViewModel, to layout: inout RowLayout) {
    if let tally = model.tally { layout.add("\(tally.waiting) waiting", .state(.plain)) }
    if let position = model.job.position { layout.add("waiting, #\(position)", .state(.plain)) }
    guard !model.hidesReason else { return }
    layout.add(model.job.pendingReason.map { SafeText.shown($0.message) } ?? "", .reason)
  }

  private static func addRunning(
    _ model: JobViewModel, _ columns: Columns, to layout: inout RowLayout
  ) {
    addCounts(model, columns, to: &layout)
    if let tally = model.tally {
      for (text, sign, style) in tally.parts {
        layout.add(text, .state(style), short: (sign, TextWidth.of(sign)))
      }
    }
    if let unchanged = model.unchanged {
      let clock = QuantityText.clock(unchanged)
      let short = "no change \(clock)"
      layout.add(
        "no change for \(clock)", .state(.warning), short: (short, TextWidth.of(short)))
      if model.remaining != nil { addTime(model, to: &layout) }
    } else {
      if let progress = model.job.progress, model.tally == nil {
        let rate = QuantityText.rate(model.rate, progress.unit) ?? ""
        layout.add(rate, .rate, width: rateWidth(progress.unit))
      }
      addTime(model, to: &layout)
    }
    let note = model.job.progress.flatMap { $0.source == .file ? $0.note : nil }
    let subtitle = model.job.subtitle.isEmpty ? note ?? "" : model.job.subtitle
    let place = model.showsPlace ? JobFacts.place(of: model.job).map { "on \($0)" } : nil
    let words = [place, subtitle].compactMap { $0 }.filter { !$0.isEmpty }
    layout.add(SafeText.shown(words.joined(separator: "  ")), .subtitle)
  }

  private static func rateWidth(_ unit: JobProgress.Unit) -> Int {
    unit == .bytes ? "99.9 MB/s".count : "9.9/s".count
  }

  private static func addTime(_ model: JobViewModel, to layout: inout RowLayout) {
    guard let remaining = model.remaining else {
      return layout.add(QuantityText.clock(model.elapsed), .time)
    }
    if let range = model.job.progress?.etaRange {
      let text = "about \(QuantityText.range(range))"
      return layout.add("\(text) left", .time, short: (text, TextWidth.of(text)))
    }
    let text = QuantityText.timeLeft(remaining)
    layout.add(
      "\(text.long) left", .time, width: text.width + " left".count,
      short: (text.short, text.shortWidth))
  }

  private static func addStalled(
    _ model: JobViewModel, _ columns: Columns, to layout: inout RowLayout
  ) {
    addCounts(model, columns, to: &layout)
    let since = model.unchanged.map { " \(QuantityText.clock($0))" } ?? ""
    layout.add("stalled\(since)", .state(.warning))
    if model.job.prompt != nil {
      layout.add(model.takesKeys ? "continue? [y/n]" : "continue?", .question)
    }
  }

  private static func addPaused(
    _ model: JobViewModel, _ columns: Columns, to layout: inout RowLayout
  ) {
    addCounts(model, columns, to: &layout)
    layout.add("paused", .state(.warning))
    if model.job.pendingReason != nil {
      layout.add("resumes when a slot is free", .reason)
    } else if let left = model.pauseLeft {
      layout.add(PauseText.resumes(in: left), .reason)
    } else if model.takesKeys {
      layout.add("p resumes it", .reason)
    }
  }

  private static func addStopping(
    _ model: JobViewModel, _ columns: Columns, to layout: inout RowLayout
  ) {
    addCounts(model, columns, to: &layout)
    let left = model.grace.map(seconds(left:)) ?? 0
    let countdown = left > 0 ? "killed in \(left) s" : "ending"
    layout.add("stopping, \(countdown)", .state(.warning))
    layout.add(Receipt.stopReason(model.job) ?? "", .reason)
  }

  /// Rounded up: the last second is shown as 1.
  private static func seconds(left span: Interval) -> UInt64 {
    (span.nanoseconds + 999_999_999) / 1_000_000_000
  }

  private static func addCounts(
    _ model: JobViewModel, _ columns: Columns, to layout: inout RowLayout
  ) {
    guard let progress = model.job.progress else {
      if model.job.state == .running { addSpinner(model, columns, to: &layout) }
      return layout.addBlank(width: columns.amount ?? 0)
    }
    if progress.goesOn, model.tally == nil {
      layout.add(spinner(model), .state(.bar))
      return layout.add(QuantityText.whole(progress), .state(.plain))
    }
    let amount = amount(progress.completed, model, progress)
    if progress.total > 0 {
      let (completed, total) = model.drawn
      layout.addBar(completed: completed, total: total, width: columns.bar)
      if columns.hasPercent || amount.isEmpty {
        layout.add(QuantityText.percent(completed, of: total), .percent)
      }
    } else if model.job.state == .running {
      addSpinner(model, columns, to: &layout)
    }
    // A part's share must not be seen without its name.
    if let note = progress.note, progress.source != .file {
      layout.add(SafeText.shown(note), .state(.plain))
    }
    if progress.total > 0 || progress.completed > 0 {
      layout.add(amount, .amount, width: columns.amount ?? amountWidth(model))
    }
  }

  /// In a table it stands where others have a bar.
  private static func addSpinner(
    _ model: JobViewModel, _ columns: Columns, to layout: inout RowLayout
  ) {
    layout.add(spinner(model), .state(.bar), width: columns.bar ?? 0)
    if columns.bar ?? 0 > 0, columns.hasPercent { layout.addBlank(width: "100 %".count) }
  }

  /// The maximum width, so that new digits do not move other columns.
  fileprivate static func amountWidth(_ model: JobViewModel) -> Int {
    guard let progress = model.job.progress, !progress.goesOn || model.tally != nil else {
      return 0
    }
    return max(progress.total, progress.completed) == 0
      ? 0 : TextWidth.of(amount(max(progress.total, progress.completed), model, progress))
  }

  /// Many jobs are counted with commas.
  private static func amount(
    _ completed: UInt64, _ model: JobViewModel, _ progress: JobProgress
  ) -> String {
    guard model.tally != nil else {
      return QuantityText.amount(completed, of: progress.total, progress.unit)
    }
    return "\(QuantityText.grouped(Int(completed)))/\(QuantityText.grouped(Int(progress.total)))"
  }

  private static func spinner(_ model: JobViewModel) -> String {
    ProgressBar.spinner(frame: model.frame)
  }
}
