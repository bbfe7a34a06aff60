/// How many columns of a terminal a text takes.
///
/// After UAX #11 (East Asian Width) and UTS #51 (emoji presentation), per grapheme cluster, as
/// current terminals do.
enum TextWidth {
  /// Columns of a whole text without control characters.
  static func of(_ text: some StringProtocol) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return isPlain(text) ? text.unicodeScalars.count : text.reduce(0) { $0 + of($1) }
  }

  /// Whether it contains only ASCII, `…` and the characters of bars: one column per scalar.
  ///
  /// Finding graphemes in such texts, too, was a third of the cost of a screen of busy jobs.
  static func isPlain(_ text: some StringProtocol) -> Bool {
    text.unicodeScalars.allSatisfy {
      $0.value < 0x80 || $0.value == 0x2026 || (0x2500...0x257F).contains($0.value)
    }
  }

  /// Columns of one grapheme cluster.
  static func of(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    // A variation selector asks for the emoji form, which is wide: U+2708 U+FE0F.
    if scalars.contains("\u{FE0F}") { return 2 }
    if (0x1F1E6...0x1F1FF).contains(first.value) { return scalars.count > 1 ? 2 : 1 }
    if isWide(first) { return 2 }
    // Marks that take a column of their own exist: the second half of the Thai กำ.
    return scalars.reduce(0) { $0 + (isInvisible($1) ? 0 : 1) }
  }

  /// The longest beginning of `text` that fits in `columns`, with `…` in place of the rest.
  static func start(of text: String, fitting columns: Int) -> String {
    guard of(text) > columns else { return text }
    guard columns > 0 else { return "" }
    var shown = ""
    var used = 0
    for character in text {
      let width = of(character)
      guard used + width < columns else { break }
      shown.append(character)
      used += width
    }
    return shown + "…"
  }

  /// The longest end of `text` that fits in `columns`; for paths, whose end is the most informative.
  static func end(of text: String, fitting columns: Int) -> String {
    guard of(text) > columns else { return text }
    guard columns > 0 else { return "" }
    var kept: [Character] = []
    var used = 0
    for character in text.reversed() {
      let width = of(character)
      guard used + width < columns else { break }
      kept.append(character)
      used += width
    }
    return "…" + String(kept.reversed())
  }

  /// `text` with spaces up to `columns`; never shortened.
  static func padded(_ text: String, to columns: Int) -> String {
    text + String(repeating: " ", count: max(0, columns - of(text)))
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: scalar != "\u{AD}"
    default: false
    }
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    var low = 0
    var high = wideRanges.count
    while low < high {
      let middle = (low + high) / 2
      if wideRanges[middle].upperBound < scalar.value { low = middle + 1 } else { high = middle }
    }
    return low < wideRanges.count && wideRanges[low].contains(scalar.value)
  }

  /// Scalars of East Asian Width W or F, ascending (EastAsianWidth.txt of Unicode 16.0).
  ///
  /// Unassigned ones between are included where UAX #11 treats the whole block as wide.
  private static let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0...0x23F0,
    0x23F3...0x23F3, 0x25FD...0x25FE, 0x2614...0x2615, 0x2630...0x2637, 0x2648...0x2653,
    0x267F...0x267F, 0x268A...0x268F, 0x2693...0x2693, 0x26A1...0x26A1, 0x26AA...0x26AB,
    0x26BD...0x26BE, 0x26C4...0x26C5, 0x26CE...0x26CE, 0x26D4...0x26D4, 0x26EA...0x26EA,
    0x26F2...0x26F3, 0x26F5...0x26F5, 0x26FA...0x26FA, 0x26FD...0x26FD, 0x2705...0x2705,
    0x270A...0x270B, 0x2728...0x2728, 0x274C...0x274C, 0x274E...0x274E, 0x2753...0x2755,
    0x2757...0x2757, 0x2795...0x2797, 0x27B0...0x27B0, 0x27BF...0x27BF, 0x2B1B...0x2B1C,
    0x2B50...0x2B50, 0x2B55...0x2B55, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF,
    0x4E00...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
    0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x16FF1, 0x17000...0x18D08,
    0x1AFF0...0x1AFFE, 0x1B000...0x1B2FB, 0x1D300...0x1D376, 0x1F004...0x1F004,
    0x1F0CF...0x1F0CF, 0x1F18E...0x1F18E, 0x1F191...0x1F19A, 0x1F200...0x1F265,
    0x1F300...0x1F320, 0x1F32D...0x1F335, 0x1F337...0x1F37C, 0x1F37E...0x1F393,
    0x1F3A0...0x1F3CA, 0x1F3CF...0x1F3D3, 0x1F3E0...0x1F3F0, 0x1F3F4...0x1F3F4,
    0x1F3F8...0x1F43E, 0x1F440...0x1F440, 0x1F442...0x1F4FC, 0x1F4FF...0x1F53D,
    0x1F54B...0x1F54E, 0x1F550...0x1F567, 0x1F57A...0x1F57A, 0x1F595...0x1F596,
    0x1F5A4...0x1F5A4, 0x1F5FB...0x1F64F, 0x1F680...0x1F6C5, 0x1F6CC...0x1F6CC,
    0x1F6D0...0x1F6D2, 0x1F6D5...0x1F6D7, 0x1F6DC...0x1F6DF, 0x1F6EB...0x1F6EC,
    0x1F6F4...0x1F6FC, 0x1F7E0...0x1F7EB, 0x1F7F0...0x1F7F0, 0x1F90C...0x1F93A,
    0x1F93C...0x1F945, 0x1F947...0x1F9FF, 0x1FA70...0x1FAFF, 0x20000...0x2FFFD,
    0x30000...0x3FFFD,
  ]
}
