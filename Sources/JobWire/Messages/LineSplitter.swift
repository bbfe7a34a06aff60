/// Cuts a byte stream into lines, however the bytes arrive.
///
/// A line past the limit is reported once and skipped to its newline; later lines are read as usual.
/// Never holds more than one line and one arrival.
package struct LineSplitter {
  /// The next part of the stream.
  package enum Element: Hashable, Sendable {
    /// A line without its newline.
    case line(ArraySlice<UInt8>)
    /// A line longer than the limit.
    case tooLong
  }

  private let limit: Int
  private var buffer: [UInt8] = []
  /// Start of the line that is being read.
  private var start = 0
  /// Up to here no newline was found.
  private var scanned = 0
  /// The rest of a line that was reported as too long is still to come.
  private var isSkipping = false

  /// `limit`: the longest line in bytes, without its newline.
  package init(limit: Int = Limits.lineBytes) {
    self.limit = limit
  }

  /// Takes bytes as they arrived; ask `next()` until it has no more.
  package mutating func append(_ bytes: some Sequence<UInt8>) {
    if start > 0 {
      buffer.removeSubrange(..<start)
      scanned -= start
      start = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// The next line; nil when more bytes are needed.
  package mutating func next() -> Element? {
    while let end = buffer[scanned...].firstIndex(of: UInt8(ascii: "\n")) {
      let line = buffer[start..<end]
      start = end + 1
      scanned = start
      guard isSkipping else {
        return line.count > limit ? .tooLong : .line(line)
      }
      isSkipping = false
    }
    scanned = buffer.count
    return tooLongAlready()
  }

  /// Bytes of a line whose end has not come.
  package var unfinishedBytes: Int { buffer.count - start }

  private mutating func tooLongAlready() -> Element? {
    guard isSkipping || unfinishedBytes > limit else { return nil }
    buffer.removeAll(keepingCapacity: false)
    start = 0
    scanned = 0
    defer { isSkipping = true }
    return isSkipping ? nil : .tooLong
  }
}
