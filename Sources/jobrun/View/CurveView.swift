import JobCore
import JobWire
import LinuxSystem

/// A job's progress over time, drawn in a terminal with dots of braille.
enum CurveView {
  /// In characters; each has two columns and four rows of dots (Unicode, Braille Patterns).
  static let columns = 60
  static let rows = 8
  /// The columns left of the dots.
  private static let margin = 6
  /// The least width of a terminal.
  static let width = margin + columns + 1

  static func lines(_ curve: ProgressCurve) -> [Line] {
    var lines = dots(curve).enumerated().map { row, cells in
      var line = Line(label(row, curve), .faint)
      line.append(cells, .bar)
      return line
    }
    let (begin, end) = (ShownTime.clock(curve.begin), ShownTime.clock(curve.end))
    lines.append(
      Line(
        String(repeating: " ", count: margin) + begin
          + String(repeating: " ", count: max(1, columns - begin.count - end.count)) + end, .faint))
    let events = curve.events.compactMap { event in
      event.words.map { "\(ShownTime.clock(event.place.at)) \($0)" }
    }
    // Only the latest ones if there are many.
    for event in events.suffix(rows) {
      lines.append(Line(String(repeating: " ", count: margin) + event, .warning))
    }
    return lines
  }

  private static func label(_ row: Int, _ curve: ProgressCurve) -> String {
    switch row {
    case 0: curve.most == nil ? "100 % " : "most  "
    case rows - 1: curve.most == nil ? "  0 % " : "   0  "
    default: String(repeating: " ", count: margin)
    }
  }

  private static func dots(_ curve: ProgressCurve) -> [String] {
    let (width, height) = (columns * 2, rows * 4)
    var cells = [UInt8](repeating: 0, count: columns * rows)
    func set(_ x: Int, _ y: Int) {
      // The lowest row of dots was added to the pattern later, and has the highest bits.
      let bits: [[UInt8]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]
      let top = height - 1 - y
      cells[top / 4 * columns + x / 2] |= bits[top % 4][x % 2]
    }
    for places in curve.attempts {
      var before: (x: Int, y: Int)?
      for place in places {
        let x = Int(curve.position(of: place.at) * Double(width - 1))
        let y = Int(place.share * Double(height - 1))
        if let before { join(before, (x, y), set) } else { set(x, y) }
        before = (x, y)
      }
    }
    return (0..<rows).map { row in
      var text = String.UnicodeScalarView()
      for cell in cells[row * columns..<(row + 1) * columns] {
        text.append(Unicode.Scalar(0x2800 + UInt32(cell)) ?? " ")
      }
      return String(text)
    }
  }

  /// A line of dots without gaps.
  private static func join(
    _ from: (x: Int, y: Int), _ to: (x: Int, y: Int), _ set: (Int, Int) -> Void
  ) {
    let steps = max(abs(to.x - from.x), abs(to.y - from.y), 1)
    for step in 0...steps {
      set(
        from.x + (to.x - from.x) * step / steps, from.y + (to.y - from.y) * step / steps)
    }
  }
}
