/// A bar of a given width.
enum ProgressBar {
  /// `━━━━╸───`: filled to half columns; never full before all is done, never empty after a start.
  static func pieces(completed: UInt64, total: UInt64, width: Int) -> [Line.Piece] {
    guard width > 0, total > 0 else { return [] }
    let fraction = min(1, Double(completed) / Double(total))
    var halves = Int(fraction * Double(width * 2))
    if completed < total { halves = min(halves, width * 2 - 1) }
    if completed > 0 { halves = max(halves, 1) }
    let filled = String(repeating: "━", count: halves / 2) + (halves % 2 == 1 ? "╸" : "")
    let empty = String(repeating: "─", count: width - (halves + 1) / 2)
    return [Line.Piece(text: filled, style: .bar), Line.Piece(text: empty, style: .faint)]
  }

  /// A frame of the spinner that is shown while the total is unknown.
  static func spinner(frame: Int) -> String {
    let frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
    return frames[abs(frame) % frames.count]
  }
}
