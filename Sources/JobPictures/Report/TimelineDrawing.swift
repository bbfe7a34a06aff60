internal import JobCore
internal import JobWire

/// When jobs ran beside each other, and how they ended, as SVG: a bar for each, as many rows as ran at once.
struct TimelineDrawing {
  private static let row = 16.0
  private static let width = 720.0
  private static let foot = 20.0
  /// Rows past this one are not drawn.
  private static let maximumRows = 64

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

  /// Nil when nothing has run.
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
    self.bars = bars
    rows = ends.count
    axis = TimeAxis(begin: first.begin, end: last, left: 4, width: Self.width - 8)
  }

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
    // What failed is seen, however short it was.
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
        + "<title>\(bar.job.number) \(Markup.escaped(bar.job.title)), \(bar.job.fate)</title></rect>"
    )
  }
}

extension JobStatus {
  /// The class of colours that tells how it is.
  var mood: String {
    switch outcome {
    case nil: state == .stalled ? "warned" : "going"
    case .succeeded: "good"
    case .cancelled, .interrupted: "left"
    case .failed, .expired, .refused: "bad"
    }
  }

  /// How it ended, or how it is.
  var fate: String { outcome?.rawValue ?? state.rawValue }
}
