/// Output that a terminal is shown once more, without what it would answer: its answers would be typed into the
/// job, which asked for them long ago (ECMA-48, and ctlseqs of xterm).
enum RepeatedOutput {
  private static let escape: UInt8 = 0x1B
  private static let enquiry: UInt8 = 0x05
  /// The beginnings of strings, such as titles and questions for colours.
  private static let strings = Array("]P_^X".utf8)

  static func shown(_ bytes: [UInt8]) -> [UInt8] {
    var shown: [UInt8] = []
    var place = 0
    while place < bytes.count {
      let end = min(bytes.count, self.end(of: bytes, from: place))
      if !asks(bytes[place..<end]) { shown += bytes[place..<end] }
      place = end
    }
    return shown
  }

  /// The end of the control sequence, or of the single byte, that begins there.
  private static func end(of bytes: [UInt8], from start: Int) -> Int {
    guard bytes[start] == escape, start + 1 < bytes.count else { return start + 1 }
    var place = start + 2
    if bytes[start + 1] == UInt8(ascii: "[") {
      while place < bytes.count, !(0x40...0x7E).contains(bytes[place]) { place += 1 }
      return place + 1
    }
    guard strings.contains(bytes[start + 1]) else { return place }
    // It ends with BEL, or with ESC and a backslash.
    while place < bytes.count, bytes[place] != 0x07, bytes[place] != escape { place += 1 }
    return place < bytes.count && bytes[place] == escape ? place + 2 : place + 1
  }

  private static func asks(_ sequence: ArraySlice<UInt8>) -> Bool {
    guard let first = sequence.first, let last = sequence.last else { return false }
    if first != escape { return first == enquiry }
    let kind = sequence.dropFirst().first
    guard kind == UInt8(ascii: "[") else {
      return kind == UInt8(ascii: "Z") || kind.map { strings.contains($0) } == true
    }
    switch last {
    case UInt8(ascii: "n"), UInt8(ascii: "c"), UInt8(ascii: "t"): return true
    case UInt8(ascii: "p"): return sequence.contains(UInt8(ascii: "$"))
    case UInt8(ascii: "q"): return sequence.contains(UInt8(ascii: ">"))
    case UInt8(ascii: "u"): return sequence.contains(UInt8(ascii: "?"))
    default: return false
    }
  }
}
