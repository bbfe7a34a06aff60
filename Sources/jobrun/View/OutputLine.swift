import JobWire

extension Line {
  /// A line of a job's output with its colours, after `LogFilter`; it cannot control the terminal.
  init(output text: String) {
    self.init()
    var ink = Ink()
    for (index, part) in text.split(separator: "\u{1B}", omittingEmptySubsequences: false)
      .enumerated()
    {
      var rest = part
      if index > 0, part.first == "[", let end = part.firstIndex(of: "m") {
        ink.apply(part[..<end].dropFirst())
        rest = part[part.index(after: end)...]
      }
      append(SafeText.shown(String(rest)), ink.style)
    }
  }
}

/// The current colour of a job's output (SGR, ECMA-48 8.3.117).
private struct Ink {
  private var colour: UInt8 = 0
  private var isStrong = false

  var style: Line.Style {
    colour == 0 && !isStrong ? .plain : .output(colour: colour, isStrong: isStrong)
  }

  /// `1;31`; of palettes and shades only the first sixteen are kept.
  mutating func apply(_ parameters: Substring) {
    let codes = parameters.split(separator: ";", omittingEmptySubsequences: false).map {
      $0.isEmpty ? 0 : UInt8($0) ?? 255
    }
    if codes.isEmpty { self = Ink() }
    var index = 0
    while index < codes.count {
      switch codes[index] {
      case 0: self = Ink()
      case 1: isStrong = true
      case 22: isStrong = false
      case 30...37, 90...97: colour = codes[index]
      case 39: colour = 0
      case 38, 48:
        let isPalette = index + 2 < codes.count && codes[index + 1] == 5
        if isPalette, codes[index] == 38 { colour = Self.foreground(codes[index + 2]) }
        index += isPalette ? 2 : 4
      default: break
      }
      index += 1
    }
  }

  private static func foreground(_ palette: UInt8) -> UInt8 {
    palette < 8 ? 30 + palette : palette < 16 ? 82 + palette : 0
  }
}
