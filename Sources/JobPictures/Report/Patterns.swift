internal import JobWire

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
      ("waiting", "waiting"), ("good", "succeeded"), ("bad", "failed"), ("left", "cancelled"),
      ("going", "running"), ("paused", "paused"), ("warned", "stalled or stopping"),
    ]
    let items = words.filter { moods.contains($0.0) }.map { mood, words in
      let shape = "x=\"1\" y=\"1\" width=\"16\" height=\"8\" rx=\"2\""
      let over =
        all[mood] == nil ? "" : "<rect class=\"over\" fill=\"url(#\(mood))\" \(shape)/>"
      return
        "<span><svg viewBox=\"0 0 18 10\" aria-hidden=\"true\"><rect class=\"\(mood)\" \(shape)/>"
        + "\(over)</svg>\(words)</span>"
    }
    return "<p class=\"key\">\(items.joined())</p>"
  }
}
