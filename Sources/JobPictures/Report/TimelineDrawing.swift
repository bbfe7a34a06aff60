internal import JobCore
internal import JobWire

/// The jobs over time with their states, as SVG: a bar for each, and as many rows as jobs ran at once.
struct TimelineDrawing {
  private static let foot = 20.0
  /// Rows past this one are not drawn.
  private static let maximumRows = 48
  /// The height of a row, and of one of many.
  private static let (row, lowRow) = (18.0, 12.0)

  /// The picture's frame, and what its bars lead to.
  struct Frame {
    var width = 720.0
    /// What was before is not shown; nil = all is.
    var since: WallTime?
    /// Whether it ends now, and not with the last job; bars are links to the jobs of the page then.
    var isOnPage = false
  }

  private struct Bar {
    var job: JobStatus
    var begin: WallTime
    var end: WallTime
    var row: Int
    /// From then on its row was free.
    var free: WallTime
  }

  private let bars: [(bar: Bar, spans: [StateSpan])]
  private let rows: Int
  private let axis: TimeAxis
  private let frame: Frame

  /// Nil when no job has run.
  ///
  /// `trace`: of a job that is drawn.
  init?(
    _ jobs: [JobStatus], now: WallTime, _ frame: Frame = Frame(),
    trace: (JobNumber) -> ProgressTrace
  ) {
    let runs = jobs.compactMap { job in
      job.started.map { (job: job, begin: $0, end: max(job.ended ?? now, $0)) }
    }.sorted { $0.begin < $1.begin }
    guard let first = runs.first, let last = runs.map(\.end).max() else { return nil }
    let begin = frame.since.map { max($0, first.begin) } ?? first.begin
    let end = frame.isOnPage ? now : last
    guard end > begin else { return nil }
    var ends: [WallTime] = []
    var bars: [Bar] = []
    for run in runs {
      let row = ends.firstIndex { $0 <= run.begin } ?? ends.count
      guard row < Self.maximumRows else { continue }
      let free = row < ends.count ? ends[row] : begin
      if row == ends.count { ends.append(run.end) } else { ends[row] = run.end }
      bars.append(Bar(job: run.job, begin: run.begin, end: run.end, row: row, free: free))
    }
    rows = ends.count
    axis = TimeAxis(begin: begin, end: end, left: 4, width: frame.width - 8)
    self.frame = frame
    // What is clicked needs some width.
    self.bars = Self.visible(bars, on: axis, rows: ends.count, least: frame.isOnPage ? 3 : 1).map {
      bar in
      (bar, bar.job.spans(trace(bar.job.number), now: now))
    }
  }

  /// Of several bars in one place only one is drawn; failures are always visible, however short.
  private static func visible(
    _ bars: [Bar], on axis: TimeAxis, rows: Int, least: Double
  ) -> [Bar] {
    // The more rows, the fewer bars per row, so that a picture of any number of jobs stays small.
    let step = max(least, Double(rows) / 16)
    var drawn = [(end: Double, isBad: Bool)](repeating: (-1, false), count: rows)
    return bars.filter { bar in
      let (end, isBad) = (axis.x(bar.end), bar.job.mood == "bad")
      guard end >= drawn[bar.row].end + step || isBad && !drawn[bar.row].isBad else { return false }
      drawn[bar.row] = (max(end, axis.x(bar.begin) + step), isBad)
      return true
    }
  }

  /// The moods that are drawn, in a legend.
  var key: String {
    Patterns.key(Set(bars.flatMap { bar in bar.spans.map { bar.bar.job.mood(during: $0.state) } }))
  }

  var svg: String {
    let row = rows > 12 ? Self.lowRow : Self.row
    let height = Double(rows) * row + Self.foot
    var svg = Markup()
    svg.add(
      "<svg viewBox=\"0 0 \(Markup.length(frame.width)) \(Markup.length(height))\""
        // An image has no links in it.
        + " role=\"\(frame.isOnPage ? "group" : "img")\" aria-label=\"\(bars.count) jobs over time\">"
    )
    for tick in axis.ticks(max(2, Int(frame.width / 90))) {
      let x = Markup.length(axis.x(tick.at))
      svg.add(
        "<path class=\"tick\" d=\"M\(x) 0V\(Markup.length(height - Self.foot + 4))\"/>"
          + "<text class=\"middle\" x=\"\(x)\" y=\"\(Markup.length(height - 4))\">\(tick.label)</text>"
      )
    }
    // Failures are always visible, however short.
    for isBad in [false, true] {
      for (bar, spans) in bars where (bar.job.mood == "bad") == isBad {
        draw(bar, spans, row: row, &svg)
      }
    }
    svg.add("</svg>")
    return svg.text
  }

  private func draw(_ bar: Bar, _ spans: [StateSpan], row: Double, _ svg: inout Markup) {
    let job = bar.job
    let words = "\(job.number) \(Markup.escaped(String(job.title.prefix(60)))), \(job.fate)"
    svg.add(
      frame.isOnPage
        ? "<a href=\"#/jobs/\(job.number)\" aria-label=\"\(words)\"><title>\(words)</title>"
        : "<g><title>\(words)</title>")
    let place =
      "y=\"\(Markup.length(Double(bar.row) * row + 2))\" height=\"\(Markup.length(row - 4))\" rx=\"3\""
    for span in spans {
      let mood = job.mood(during: span.state)
      // Before its start it is drawn where no other job was.
      let from = axis.x(span.from < bar.begin ? max(span.from, bar.free) : span.from)
      let width = axis.x(span.to) - from
      guard width > 1 || mood != "waiting" else { continue }
      let shape =
        "x=\"\(Markup.length(from))\" width=\"\(Markup.length(max(1.5, width)))\" \(place)"
      svg.add("<rect class=\"\(mood)\" \(shape)/>")
      guard Patterns.all[mood] != nil else { continue }
      svg.add("<rect class=\"over\" fill=\"url(#\(mood))\" \(shape)/>")
    }
    svg.add(frame.isOnPage ? "</a>" : "</g>")
  }
}

extension JobStatus {
  /// What it was when, by its trace and its present state.
  fileprivate func spans(_ trace: ProgressTrace, now: WallTime) -> [StateSpan] {
    let present: (StateSpan.State, WallTime?)? =
      switch state {
      case .queued: (.waiting, nil)
      case .launching, .ended: nil
      case .running: (.running, nil)
      case .stalled: (.stalled, prompt?.since)
      case .paused: (.paused, paused?.since)
      case .stopping: (.stopping, nil)
      }
    let spans = StateSpan.all(
      submitted: submitted, started: started, until: ended ?? now, trace, now: present)
    // One that has run is seen, however short.
    if spans.contains(where: { $0.state != .waiting }) { return spans }
    return spans + (started.map { [StateSpan(.running, from: $0, to: $0)] } ?? [])
  }

  /// The class of colours of a stretch of its time: of one that has ended, how it ended.
  fileprivate func mood(during state: StateSpan.State) -> String {
    switch state {
    case .waiting: "waiting"
    case .running: outcome == nil ? "going" : mood
    case .paused: "paused"
    case .stalled, .stopping: "warned"
    }
  }

  /// The class of colours that tells how it is.
  var mood: String {
    switch (outcome, state) {
    case (nil, .stalled), (nil, .stopping): "warned"
    case (nil, .paused): "paused"
    case (nil, _): "going"
    case (.succeeded, _): "good"
    case (.cancelled, _), (.interrupted, _): "left"
    case (.failed, _), (.expired, _), (.refused, _): "bad"
    }
  }

  /// How it ended, or how it is.
  var fate: String {
    if let outcome { return outcome.rawValue }
    return switch state {
    case .queued: "waiting"
    case .launching: "starting"
    case .stalled: "waiting for an answer"
    case .running, .paused, .stopping, .ended: state.rawValue
    }
  }
}
