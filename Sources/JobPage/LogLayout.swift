/// Which part of a log that is too long is left out: head and tail are worth more than the middle.
///
/// The head is a quarter of the limit. Each time, the tail is cut to half of the limit, so that another
/// quarter can be written before the next cut.
package struct LogLayout: Hashable, Sendable {
  /// In bytes; at least `least`.
  package let limit: UInt64

  /// Holes start and end at multiples of this, so that whole blocks are freed.
  package static let grain: UInt64 = 64 << 10
  /// The minimum for head, mark and tail.
  package static let least: UInt64 = 8 * grain
  /// The mark replaces the last bytes of the head.
  package static let markBytes = 128
  /// The maximum limit in bytes, whatever is asked for: 2⁶⁰.
  package static let largest: UInt64 = 1 << 60

  package init(limit: UInt64) {
    self.limit = min(max(limit, LogLayout.least), LogLayout.largest)
  }

  /// The part to leave out of a log of `size` bytes in which `hole` is left out already; nil = nothing
  /// more.
  package func hole(in size: UInt64, now hole: Range<UInt64>?) -> Range<UInt64>? {
    guard kept(of: size, hole) > limit else { return nil }
    let start = hole?.lowerBound ?? LogLayout.aligned(limit / 4)
    let end = LogLayout.aligned(size - limit / 2)
    return end > (hole?.upperBound ?? start) ? start..<end : nil
  }

  /// How many bytes may be written before the next cut.
  package func room(in size: UInt64, now hole: Range<UInt64>?) -> UInt64 {
    let kept = kept(of: size, hole)
    return kept > limit ? 0 : limit - kept
  }

  private func kept(of size: UInt64, _ hole: Range<UInt64>?) -> UInt64 {
    let missing = hole.map { $0.upperBound - $0.lowerBound } ?? 0
    return size - min(size, missing)
  }

  private static func aligned(_ offset: UInt64) -> UInt64 { offset / grain * grain }

  /// Whether these bytes are such a mark.
  package static func isMark(_ bytes: [UInt8]) -> Bool {
    bytes.count == markBytes && bytes.starts(with: "\njobrun: ".utf8)
      && bytes.last == 0x0A && bytes.suffix(2).first == 0x20
  }

  /// The line before a hole, of constant length.
  package static func mark(missing bytes: UInt64) -> [UInt8] {
    let text = Array(
      "\njobrun: \(bytes) bytes of output are left out here, as the log is over its limit".utf8)
    let padding = [UInt8](repeating: 0x20, count: max(0, markBytes - 1 - text.count))
    return text.prefix(markBytes - 1) + padding + [0x0A]
  }
}
