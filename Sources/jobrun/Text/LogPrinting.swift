/// The printed part of an output: only its first lines, or all lines with a tag.
struct LogPrinting {
  /// The prefix of each line; nil = none.
  let tag: [UInt8]?
  /// The number of remaining lines; nil = unlimited.
  private var left: UInt64?
  private var isAtStart = true

  init(tag: [UInt8]?, first: UInt64?) {
    self.tag = tag
    left = first
  }

  /// Whether all requested output is printed.
  var isOver: Bool { left == 0 }

  mutating func receive(_ bytes: [UInt8]) -> [UInt8] {
    guard tag != nil || left != nil else { return bytes }
    var printed: [UInt8] = []
    printed.reserveCapacity(bytes.count)
    for byte in bytes where left != 0 {
      if isAtStart, let tag { printed += tag }
      isAtStart = byte == UInt8(ascii: "\n")
      printed.append(byte)
      if isAtStart, let count = left { left = count - 1 }
    }
    return printed
  }
}
