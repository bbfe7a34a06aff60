internal import JobCore
internal import JobWire

/// The jobs over time with their outcomes, as SVG: a bar for each, and as many rows as jobs ran at once.
struct TimelineDrawing {
  private static let row = 16.0
  private static let width = 720.0
  private static let foot = 20.0
  /// Rows past this one are not drawn.
  private static let maximumRows = 48

  private struct Bar {
    var job: JobStatus
    var begin: WallTime
    var end: WallTime
    var row: Int
    /// From then on it waited, as far as its row was free.
    var waited: WallTime
  }

  private let bars: [Bar]
  private let rows: Int
  private let axis: TimeAxis

  /// Nil when no job has run.
  init?(_ jobs: [JobStatus], now: WallTime) {
    let runs = jobs.compactMap { job in
      job.started.map { (job: job, begin: $0, end: max(job.ended ?? now, $0)) }
    }.sorted { $0.begin < $1.begin }
    guard let first = runs.first, let last = runs.map(\.end).max(), last > first.begin else {
      return nil
    }
    var ends: [WallTime] = []
    var bars: [Bar] = []
    for run in runs {
      let row = ends.firstIndex { $0 <= run.begin } ?? ends.count
      guard row < Self.maximumRows else { continue }
      let free = row < ends.count ? ends[row] : first.begin
      if row == ends.count { ends.append(run.end) } else { ends[row] = run.end }
      bars.append(
        Bar(
          job: run.job, begin: run.begin, end: run.end, row: row,
          waited: min(run.begin, max(run.job.submitted, free))))
    }
    rows = ends.count
    axis = TimeAxis(begin: first.begin, end: last, left: 4, width: Self.width - 8)
    self.bars = Self.visible(bars, on: axis, rows: ends.count)
  }

  /// Of several bars in one place only one is drawn; failures are always visible, however short.
  private static func visible(_ bars: [Bar], on axis: TimeAxis, rows: Int) -> [Bar] {
    // The more rows, the fewer bars per row, so that a picture of any number of jobs stays small.
    let step = max(1, Double(rows) / 16)
    var drawn = [(end: Double, isBad: Bool)](repeating: (-1, false), count: rows)
    return bars.filter { bar in
      let (end, isBad) = (axis.x(bar.end), bar.job.mood == "bad")
      guard end >= drawn[bar.row].end + step || isBad && !drawn[bar.row].isBad else { return false }
      drawn[bar.row] = (max(end, axis.x(bar.begin) + step), isBad)
      return true
    }
  }

  /// How the jobs are that are drawn.
  var moods: Set<String> { Set(bars.map(\.job.mood)) }

  var svg: String {
    let height = Double(rows) * Self.row + Self.foot
    var svg = Markup()
    svg.add(
      "<svg viewBox=\"0 0 720 \(Markup.length(height))\" role=\"img\""
        + " aria-label=\"\(bars.count) jobs over time\">")
    for tick in axis.ticks(8) {
      let x = Markup.length(axis.x(tick.at))
      svg.add(
        "<path class=\"tick\" d=\"M\(x) 0V\(Markup.length(height - Self.foot + 4))\"/>"
          + "<text class=\"middle\" x=\"\(x)\" y=\"\(Markup.length(height - 4))\">\(tick.label)</text>"
      )
    }
    // Failures are always visible, however short.
    for bar in bars where bar.job.mood != "bad" { draw(bar, &svg) }
    for bar in bars where bar.job.mood == "bad" { draw(bar, &svg) }
    svg.add("</svg>")
    return svg.text
  }

  private func draw(_ bar: Bar, _ svg: inout Markup) {
    let (waited, x, end) = (axis.x(bar.waited), axis.x(bar.begin), axis.x(bar.end))
    let y = Markup.length(Double(bar.row) * Self.row + 2)
    if x - waited > 1 {
      svg.add(
        "<rect class=\"waiting\" x=\"\(Markup.length(waited))\" y=\"\(y)\" rx=\"3\""
          + " width=\"\(Markup.length(x - waited))\" height=\"12\"/>")
    }
    svg.add(
      "<rect class=\"\(bar.job.mood)\" x=\"\(Markup.length(x))\" y=\"\(y)\" rx=\"3\""
        + " width=\"\(Markup.length(max(1.5, end - x)))\" height=\"12\">"
        + "<title>\(bar.job.number) \(Markup.escaped(String(bar.job.title.prefix(60)))),"
        + " \(bar.job.fate)</title></rect>")
    guard Patterns.all[bar.job.mood] != nil else { return }
    svg.add(
      "<rect class=\"over\" fill=\"url(#\(bar.job.mood))\" x=\"\(Markup.length(x))\" y=\"\(y)\""
        + " rx=\"3\" width=\"\(Markup.length(max(1.5, end - x)))\" height=\"12\"/>")
  }
}

/// The patterns that distinguish bars beside their colour.
enum Patterns {
  /// The path in a tile of six by six, by mood.
  static let all = [
    "bad": "M0 6L6 0", "left": "M0 0L6 6M0 6L6 0", "paused": "M1.5 0V6M4 0V6", "warned": "M0 3H6",
  ]

  static var svg: String {
    let tiles = all.sorted { $0.key < $1.key }.map { mood, path in
      "<pattern id=\"\(mood)\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
        + "<path class=\"hatch\" d=\"\(path)\"/></pattern>"
    }
    return
      "<svg class=\"tiles\" width=\"0\" height=\"0\" aria-hidden=\"true\">\(tiles.joined())</svg>"
  }

  /// The legend of the drawn moods.
  static func key(_ moods: Set<String>) -> String {
    let words = [
      ("good", "succeeded"), ("bad", "failed"), ("left", "cancelled"), ("going", "running"),
      ("paused", "paused"), ("warned", "waiting for an answer"),
    ]
    let items = words.filter { moods.contains($0.0) }.map { mood, words in
      let over =
        all[mood] == nil
        ? "" : "<rect class=\"over\" fill=\"url(#\(mood))\" width=\"18\" height=\"10\" rx=\"2\"/>"
      return
        "<span><svg viewBox=\"0 0 18 10\" aria-hidden=\"true\"><rect class=\"\(mood)\" width=\"18\""
        + " height=\"10\" rx=\"2\"/>\(over)</svg>\(words)</span>"
    }
    return "<p class=\"key\">\(items.joined())</p>"
  }
}

extension JobStatus {
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
