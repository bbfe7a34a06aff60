import Glibc

/// A plot as an SVG picture; an axis is logarithmic if its values span a factor of ten, so that linear growth
/// is a straight line.
struct PlotDrawing {
  private static let width = 640.0
  private static let height = 400.0
  private static let margin = 70.0
  /// Room at the right for half of the last mark's number.
  private static let rightMargin = 40.0
  private static let colours = [
    "#0b5fa5", "#c2410c", "#15803d", "#7e22ce", "#525252", "#b8860b", "#0891b2", "#be185d",
  ]

  private let plot: Plot
  private let x: Axis
  private let y: Axis

  /// The position of a value on its axis.
  private struct Axis {
    var lowest: Double
    var highest: Double
    var isLogarithmic: Bool

    init(_ values: [Double]) {
      let positive = values.filter { $0 > 0 }
      let low = positive.min() ?? 0
      highest = max(values.max() ?? 1, low)
      isLogarithmic = low > 0 && highest / low >= 10
      lowest = isLogarithmic ? low : 0
    }

    /// 0…1; values without a logarithm lie at 0.
    func share(_ value: Double) -> Double {
      guard highest > lowest else { return 0.5 }
      guard isLogarithmic else { return (value - lowest) / (highest - lowest) }
      guard value > lowest else { return 0 }
      return log(value / lowest) / log(highest / lowest)
    }

    var marks: [Double] {
      guard isLogarithmic else {
        return (0...4).map { lowest + (highest - lowest) * Double($0) / 4 }
      }
      let first = Int(log10(lowest).rounded(.up))
      let last = Int(log10(highest).rounded(.down))
      guard last >= first else { return [lowest, highest] }
      var marks = (first...last).map { pow(10, Double($0)) }
      // The ends, too, where they are not close to a power of ten.
      if marks[0] >= lowest * 2 { marks.insert(lowest, at: 0) }
      if let top = marks.last, highest >= top * 2 { marks.append(highest) }
      return marks
    }
  }

  init(_ plot: Plot) {
    self.plot = plot
    let points = plot.curves.flatMap(\.points)
    x = Axis(points.map(\.x))
    y = Axis(points.map(\.y))
  }

  /// The whole file.
  var svg: String {
    let body =
      axes() + plot.curves.enumerated().flatMap { curve($1, at: $0) }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(Int(Self.width))" \
      height="\(Int(Self.height))" font-family="sans-serif" font-size="12">
      <rect width="100%" height="100%" fill="white"/>
      <text x="\(Int(Self.width / 2))" y="22" text-anchor="middle" font-size="15">\
      \(Self.escaped(plot.title))</text>
      \(body.joined(separator: "\n"))
      </svg>

      """
  }

  private func axes() -> [String] {
    let bottom = Self.height - Self.margin
    var lines = [
      "<path d=\"M\(Self.margin) \(Self.margin / 2)V\(bottom)H\(Self.width - Self.rightMargin)\""
        + " fill=\"none\" stroke=\"#444\"/>",
      text(plot.xTitle, Self.width / 2, Self.height - 20, "middle"),
      "<text transform=\"translate(16 \(Self.height / 2)) rotate(-90)\" text-anchor=\"middle\">"
        + Self.escaped(plot.yTitle) + "</text>",
    ]
    for mark in x.marks {
      lines.append(text(Self.label(mark), place(x: mark), bottom + 18, "middle"))
    }
    for mark in y.marks {
      lines.append(text(Self.label(mark), Self.margin - 6, place(y: mark) + 4, "end"))
    }
    return lines
  }

  private func curve(_ curve: Curve, at index: Int) -> [String] {
    let colour = Self.colours[index % Self.colours.count]
    let points = curve.points.map { "\(place(x: $0.x)),\(place(y: $0.y))" }
    let name = Self.escaped(curve.name)
    return [
      "<polyline points=\"\(points.joined(separator: " "))\" fill=\"none\" stroke=\"\(colour)\""
        + " stroke-width=\"2\"/>",
      curve.points.map { dot($0, colour) }.joined(),
      "<text x=\"\(Self.margin + 12)\" y=\"\(Int(Self.height) / 2 + 16 * index)\" fill=\"\(colour)\""
        + " stroke=\"white\" stroke-width=\"4\" paint-order=\"stroke\">\(name)</text>",
    ]
  }

  /// A measured point.
  private func dot(_ point: Curve.Point, _ colour: String) -> String {
    "<circle cx=\"\(place(x: point.x))\" cy=\"\(place(y: point.y))\" r=\"3\" fill=\"\(colour)\"/>"
  }

  private func place(x value: Double) -> Double {
    rounded(Self.margin + x.share(value) * (Self.width - Self.rightMargin - Self.margin))
  }

  private func place(y value: Double) -> Double {
    let bottom = Self.height - Self.margin
    return rounded(bottom - y.share(value) * (bottom - Self.margin / 2))
  }

  private func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }

  private func text(_ text: String, _ x: Double, _ y: Double, _ anchor: String) -> String {
    "<text x=\"\(x)\" y=\"\(y)\" text-anchor=\"\(anchor)\">\(Self.escaped(text))</text>"
  }

  private static func label(_ value: Double) -> String {
    TableText.decimal(value, value >= 10 || value == value.rounded() ? 0 : value >= 1 ? 1 : 3)
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
  }
}
