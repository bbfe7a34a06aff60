internal import LinuxSystem

/// Observations of a supervisor on another machine: 4096 bytes that only it writes, the first half an image
/// of the job's progress page.
///
/// `mirror.md` beside this file documents the same layout.
package struct Mirror: Hashable, Sendable {
  package enum State: UInt32, Hashable, Sendable {
    /// No supervisor has written yet.
    case waiting = 0
    case running = 1
    case ended = 2
  }

  /// The page's first `imageSize` bytes, which hold all of its words.
  package var image: [UInt8]
  /// Grows with each write.
  package var sequence: UInt64 = 0
  /// `AwakeClock` of the node, on which the page's times are.
  package var nodeClock: UInt64 = 0
  package var wallMilliseconds: UInt64 = 0
  /// Nanoseconds since the job's last report, and since its fraction grew.
  package var reportedAgo: UInt64 = 0
  package var advancedAgo: UInt64 = 0
  package var logBytes: UInt64 = 0
  package var state = State.waiting
  /// How often the engine has restarted the attempt.
  package var restart: UInt32 = 0
  /// The machine's name.
  package var node = ""
  /// The last line of the run record.
  package var line = ""

  package static let imageSize = 2048
  private static let nodeBytes = 64
  private static let lineBytes = 512

  /// The initial content: the page that the job starts with.
  package init(page: [UInt8]) {
    image = Self.image(of: page)
  }

  /// The first half of a page; bytes that a truncated page lacks are 0.
  package static func image(of page: [UInt8]) -> [UInt8] {
    let known = page.prefix(imageSize)
    return known + [UInt8](repeating: 0, count: imageSize - known.count)
  }

  package func encoded() -> [UInt8] {
    var bytes = image
    for word in [sequence, nodeClock, wallMilliseconds, reportedAgo, advancedAgo, logBytes] {
      bytes += word.littleEndianBytes
    }
    bytes += state.rawValue.littleEndianBytes + restart.littleEndianBytes
    bytes += Self.field(node, Self.nodeBytes)
    bytes += UInt16(min(line.utf8.count, Self.lineBytes)).littleEndianBytes
    bytes += Self.field(line, Self.lineBytes)
    bytes += [UInt8](repeating: 0, count: PageLayout.size - bytes.count)
    bytes.seal()
    return bytes
  }

  /// Truncated or padded with zeros.
  private static func field(_ text: String, _ count: Int) -> [UInt8] {
    let bytes = Array(text.utf8.prefix(count))
    return bytes + [UInt8](repeating: 0, count: count - bytes.count)
  }

  /// Nil for bytes that are half written or not a mirror.
  package init?(decoding bytes: [UInt8]) {
    guard bytes.count == PageLayout.size, bytes.isSealed else { return nil }
    let page = PageBytes(bytes: bytes)
    let start = Self.imageSize
    guard let state = State(rawValue: page.word32(start + 48)) else { return nil }
    image = Array(bytes[..<start])
    sequence = page.word64(start)
    nodeClock = page.word64(start + 8)
    wallMilliseconds = page.word64(start + 16)
    reportedAgo = page.word64(start + 24)
    advancedAgo = page.word64(start + 32)
    logBytes = page.word64(start + 40)
    self.state = state
    restart = page.word32(start + 52)
    let name = bytes[(start + 56)..<(start + 56 + Self.nodeBytes)].prefix { $0 != 0 }
    node = PlainText.make(name)
    let lineStart = start + 56 + Self.nodeBytes
    let count = min(Self.lineBytes, Int(bytes[lineStart]) | Int(bytes[lineStart + 1]) << 8)
    line = PlainText.make(bytes[(lineStart + 2)..<(lineStart + 2 + count)])
  }

  /// The job's report on its page.
  package var snapshot: PageSnapshot { PageReader.snapshot(image: image) }
}
