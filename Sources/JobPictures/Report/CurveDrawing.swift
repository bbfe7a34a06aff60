internal import JobCore
internal import JobWire

/// One job's progress over time and its rate below, as SVG.
struct CurveDrawing {
  private static let (left, right) = (44.0, 8.0)
  private static let (top, plot) = (14.0, 128.0)
  private static let (rateTop, rate) = (162.0, 28.0)
  private static let maximumWindows = 40

  private let curve: ProgressCurve
  private let axis: TimeAxis
  private let width: Double

  init(_ curve: ProgressCurve, width: Double = 720) {
    self.curve = curve
    self.width = width
    axis = TimeAxis(
      begin: curve.begin, end: curve.end, left: Self.left,
      width: width - Self.left - Self.right)
  }

  /// Nil for a job that tells no progress.
  init?(
    _ trace: ProgressTrace, started: WallTime, ended: WallTime?, now: WallTime, width: Double = 720
  ) {
    guard trace.points.contains(where: { $0.total > 0 || $0.completed > 0 }),
      let curve = ProgressCurve(trace, started: started, ended: ended, now: now)
    else { return nil }
    self.init(curve, width: width)
  }

  /// `name`: what the picture is of, for who hears it.
  func svg(_ name: String) -> String {
    var svg = Markup()
    svg.add(
      "<svg viewBox=\"0 0 \(Markup.length(width)) 212\" role=\"img\" aria-label=\"\(Markup.escaped(name))\">"
    )
    grid(&svg)
    for places in curve.attempts where !places.isEmpty { line(places, &svg) }
    rates(&svg)
    // Numbers stand beside each other, however close together they belong.
    var label = -Double.infinity
    for (index, event) in shownEvents.enumerated() {
      label = max(axis.x(event.place.at), label + 13)
      mark(event, index + 1, at: label, &svg)
    }
    svg.add("</svg>")
    return svg.text
  }

  /// What is listed below the picture, in the order of its numbers; empty if nothing is.
  var legend: String {
    let items = shownEvents.map {
      "<li>\(TimeAxis.clock($0.place.at.milliseconds)) \(Markup.escaped($0.words ?? ""))</li>"
    }
    return items.isEmpty ? "" : "<ol class=\"marks\">\(items.joined())</ol>"
  }

  private var shownEvents: [ProgressCurve.Event] {
    Array(curve.events.filter { $0.words != nil }.prefix(24))
  }

  private func y(_ share: Double) -> Double { Self.top + Self.plot * (1 - share) }

  private func point(_ place: ProgressCurve.Place) -> String {
    "\(Markup.length(axis.x(place.at))),\(Markup.length(y(place.share)))"
  }

  private func grid(_ svg: inout Markup) {
    let labels = curve.most == nil ? ["0 %", "50 %", "100 %"] : ["0", "", amount]
    for (label, share) in zip(labels, [0, 0.5, 1]) {
      let y = Markup.length(y(share))
      svg.add(
        "<path class=\"grid\" d=\"M\(Markup.length(Self.left)) \(y)H\(Markup.length(width - Self.right))\"/>"
          + "<text class=\"end\" x=\"38\" y=\"\(y)\" dy=\".35em\">\(label)</text>")
    }
    for tick in axis.ticks(max(2, Int(width / 100))) {
      let x = Markup.length(axis.x(tick.at))
      svg.add(
        "<path class=\"tick\" d=\"M\(x) \(Markup.length(Self.top))V\(Markup.length(Self.rateTop + Self.rate))\"/>"
          + "<text class=\"middle\" x=\"\(x)\" y=\"206\">\(tick.label)</text>")
    }
  }

  /// What the highest point of a curve without a total stands for.
  private var amount: String {
    let most = curve.most ?? 0
    return curve.unit == .bytes ? QuantityText.bytes(most) : "\(most)"
  }

  private func line(_ places: [ProgressCurve.Place], _ svg: inout Markup) {
    let points = places.map(point).joined(separator: " ")
    let (first, last) = (places[0], places[places.count - 1])
    let base = Markup.length(y(0))
    svg.add(
      "<polygon class=\"area\" points=\"\(Markup.length(axis.x(first.at))),\(base) \(points)"
        + " \(Markup.length(axis.x(last.at))),\(base)\"/>"
        + "<polyline class=\"line\" points=\"\(points)\"/>")
  }

  private func rates(_ svg: inout Markup) {
    let windows = windows
    let most = windows.max() ?? 0
    let base = Markup.length(Self.rateTop + Self.rate)
    svg.add(
      "<path class=\"grid\" d=\"M\(Markup.length(Self.left)) \(base)H\(Markup.length(width - Self.right))\"/>"
    )
    guard most > 0 else { return }
    for (index, perSecond) in windows.enumerated() where perSecond > 0 {
      let begin = curve.begin.milliseconds + Int64(Double(index) * window)
      guard begin < curve.end.milliseconds else { continue }
      let x = axis.x(WallTime(milliseconds: begin))
      let end = min(curve.end.milliseconds, begin + Int64(window))
      let height = Self.rate * perSecond / most
      svg.add(
        "<rect class=\"rate\" x=\"\(Markup.length(x))\" y=\"\(Markup.length(Self.rateTop + Self.rate - height))\""
          + " width=\"\(Markup.length(max(0.5, axis.x(WallTime(milliseconds: end)) - x)))\" height=\"\(Markup.length(height))\"/>"
      )
    }
    let unit = curve.unit
    if let text = QuantityText.rate(most, unit) {
      svg.add("<text x=\"48\" y=\"\(Markup.length(Self.rateTop - 3))\">rate, up to \(text)</text>")
    }
  }

  /// In milliseconds: what a person can tell apart, and no less than a second.
  private var window: Double {
    max(1_000, Double((curve.end - curve.begin).milliseconds) / Double(Self.maximumWindows))
  }

  /// How fast it was in each window: of what comes in bursts the rate is that of a window.
  private var windows: [Double] {
    var sums = [Double](repeating: 0, count: Self.maximumWindows + 1)
    for rate in curve.rates.flatMap(\.self) {
      let from = Double(rate.from.milliseconds - curve.begin.milliseconds) / window
      let to = Double(rate.to.milliseconds - curve.begin.milliseconds) / window
      var index = max(0, Int(from))
      while index < sums.count, Double(index) < to {
        sums[index] += rate.perSecond * (min(to, Double(index + 1)) - max(from, Double(index)))
        index += 1
      }
    }
    return sums
  }

  private func mark(
    _ event: ProgressCurve.Event, _ number: Int, at label: Double, _ svg: inout Markup
  ) {
    let x = Markup.length(axis.x(event.place.at))
    svg.add(
      "<path class=\"mark\" d=\"M\(x) \(Markup.length(Self.top))V\(Markup.length(Self.top + Self.plot))\"/>"
        + "<circle class=\"mark\" cx=\"\(x)\" cy=\"\(Markup.length(y(event.place.share)))\" r=\"3.5\"/>"
        + "<text class=\"middle strong\" x=\"\(Markup.length(label))\" y=\"9\">\(number)</text>")
  }
}
