import JobCore
import JobWire

/// The live line of one job.
///
/// `LiveView.lines` is a pure function of what is known, the width and nothing else: the writer
/// compares and emits, and decides about colour.
enum LiveView {
  /// At most one line of at most `width` columns, and a second one for a notice.
  static func lines(_ glance: JobGlance, width: Int) -> [Line] {
    var layout = RowLayout(width: width)
    layout.add(title(of: glance), .title)
    switch glance.job.state {
    case .queued: addQueued(glance, to: &layout)
    case .launching: layout.add("starting…", .reason)
    case .running: addRunning(glance, to: &layout)
    case .stalled: addStalled(glance, to: &layout)
    case .stopping: addStopping(glance, to: &layout)
    case .ended: layout.add(glance.job.outcome?.rawValue ?? "ended", .reason)
    }
    let notice = (glance.notice ?? glance.job.warning).map { text in
      Line(TextWidth.start(of: SafeText.shown(text), fitting: width), .warning)
    }
    return [layout.line()] + (notice.map { [$0] } ?? [])
  }

  private static func title(of glance: JobGlance) -> String {
    let title = SafeText.shown(glance.job.title)
    return title.isEmpty ? "job \(glance.job.number)" : title
  }

  private static func addQueued(_ glance: JobGlance, to layout: inout RowLayout) {
    if let position = glance.job.position { layout.add("waiting, #\(position)", .state(.plain)) }
    layout.add(glance.job.pendingReason.map { SafeText.shown($0.message) } ?? "", .reason)
  }

  private static func addRunning(_ glance: JobGlance, to layout: inout RowLayout) {
    addCounts(glance, to: &layout)
    if let stalled = glance.stalled {
      // Neither rate nor time left mean anything while nothing advances.
      layout.add("stalled \(QuantityText.clock(stalled))", .state(.warning))
    } else {
      if let progress = glance.job.progress {
        let rate = QuantityText.rate(glance.rate, progress.unit) ?? ""
        layout.add(rate, .rate, width: rateWidth(progress.unit))
      }
      addTime(glance, to: &layout)
    }
    layout.add(SafeText.shown(glance.job.subtitle), .subtitle)
  }

  private static func rateWidth(_ unit: JobProgress.Unit) -> Int {
    unit == .bytes ? "99.9 MB/s".count : "9.9/s".count
  }

  private static func addTime(_ glance: JobGlance, to layout: inout RowLayout) {
    guard let remaining = glance.remaining else {
      return layout.add(QuantityText.clock(glance.elapsed), .time)
    }
    let text = QuantityText.timeLeft(remaining)
    layout.add(
      "\(text.long) left", .time, width: text.width + " left".count,
      short: (text.short, text.shortWidth))
  }

  private static func addStalled(_ glance: JobGlance, to layout: inout RowLayout) {
    addCounts(glance, to: &layout)
    let since = glance.stalled.map { " \(QuantityText.clock($0))" } ?? ""
    layout.add("stalled\(since)", .state(.warning))
    if glance.job.prompt != nil {
      layout.add(glance.takesKeys ? "continue? [y/n]" : "continue?", .question)
    }
  }

  private static func addStopping(_ glance: JobGlance, to layout: inout RowLayout) {
    addCounts(glance, to: &layout)
    let left = glance.grace.map(seconds(left:)) ?? 0
    let countdown = left > 0 ? "killed in \(left) s" : "ending"
    layout.add("stopping, \(countdown)", .state(.warning))
    layout.add(glance.job.stopReason.map { SafeText.shown($0.message) } ?? "", .reason)
  }

  /// Rounded up: the last second is shown as 1.
  private static func seconds(left span: Span) -> UInt64 {
    (span.nanoseconds + 999_999_999) / 1_000_000_000
  }

  private static func addCounts(_ glance: JobGlance, to layout: inout RowLayout) {
    guard let progress = glance.job.progress else {
      if glance.job.state == .running { layout.add(spinner(glance), .state(.bar)) }
      return
    }
    if progress.total > 0 {
      layout.addBar(completed: progress.completed, total: progress.total)
      layout.add(
        QuantityText.percent(progress.completed, of: progress.total), .percent)
    } else if glance.job.state == .running {
      layout.add(spinner(glance), .state(.bar))
    }
    if progress.total > 0 || progress.completed > 0 {
      let amount = QuantityText.amount(progress.completed, of: progress.total, progress.unit)
      // As wide as it will ever be: digits that come move nothing.
      let whole = QuantityText.amount(progress.total, of: progress.total, progress.unit)
      layout.add(amount, .amount, width: progress.total > 0 ? TextWidth.of(whole) : 0)
    }
  }

  private static func spinner(_ glance: JobGlance) -> String {
    ProgressBar.spinner(frame: glance.frame)
  }
}
