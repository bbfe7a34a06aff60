/// The table for people, also shown in the README.
enum TableText {
  private static let head = [
    "what", "ours", "spread", "reference", "ratio", "budget", "met",
  ]

  /// Columns padded to the same width, in Markdown.
  static func text(_ rows: [Row]) -> String {
    let lines = [head] + rows.map(cells)
    let widths = head.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    let rule =
      "|" + widths.map { String(repeating: "-", count: $0 + 2) }.joined(separator: "|") + "|"
    var texts = lines.map { line in
      "| "
        + zip(line, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
        .joined(separator: " | ") + " |"
    }
    texts.insert(rule, at: 1)
    return texts.joined(separator: "\n")
  }

  private static func cells(_ row: Row) -> [String] {
    [
      row.name, figure(row.ours.median, row.unit), spread(row),
      row.reference.map { "\($0.name) \(figure($0.series.median, row.unit))" } ?? "",
      row.ratio.map { decimal($0, 2) } ?? "", budget(row),
      row.isMet.map { $0 ? "yes" : "no" } ?? "",
    ]
  }

  private static func spread(_ row: Row) -> String {
    guard row.ours.samples.count > 1 else { return "" }
    return figure(row.ours.lowest, row.unit) + "…" + figure(row.ours.highest, row.unit)
  }

  private static func budget(_ row: Row) -> String {
    switch row.budget {
    case .ratioAtMost(let most): "≤ \(decimal(most, 2)) ×"
    case .ratioAtLeast(let least): "≥ \(decimal(least, 2)) ×"
    case .atMost(let most): "≤ " + figure(most, row.unit)
    case .atLeast(let least): "≥ " + figure(least, row.unit)
    case .none: ""
    }
  }

  /// With its unit, and three digits that mean something.
  static func figure(_ value: Double, _ unit: Row.Unit) -> String {
    let text = decimal(value, value >= 100 || value == value.rounded() ? 0 : value >= 10 ? 1 : 2)
    return unit == .count || unit == .perSecond ? text + unit.rawValue : "\(text) \(unit.rawValue)"
  }

  /// Groups of three digits, and this many decimals.
  static func decimal(_ value: Double, _ paths: Int) -> String {
    var scale = 1.0
    for _ in 0..<paths { scale *= 10 }
    let scaled = Int64((abs(value) * scale).rounded())
    var whole = String(scaled / Int64(scale))
    var grouped = ""
    while whole.count > 3 {
      grouped = "," + whole.suffix(3) + grouped
      whole.removeLast(3)
    }
    let fraction =
      paths == 0 ? "" : "." + String(String(scaled % Int64(scale) + Int64(scale)).dropFirst())
    return (value < 0 ? "-" : "") + whole + grouped + fraction
  }
}
