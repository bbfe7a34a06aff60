import JobWire
import LinuxSystem

/// Reads a job's log: from its start on as it grows, or its last lines.
///
/// It stays open, so that nothing is lost to the reader when the log is removed.
struct LogReader {
  let path: String
  private(set) var offset: UInt64 = 0
  /// Nil before the log is there.
  private var log: OpenedInput?

  /// Most bytes that are read in one go.
  private static let portion = 64 * 1024
  /// The part of the end that is searched for the last lines.
  private static let tailBytes: UInt64 = 16 * 1024

  init(path: String) {
    self.path = path
  }

  /// Starts at the beginning of the current last `count` lines.
  init(path: String, lines count: UInt64) throws(SystemError) {
    self.path = path
    guard let log = try opened() else { return }
    offset = try Self.start(
      ofLast: count, before: try log.descriptor.size(), in: log.descriptor)
  }

  private mutating func opened() throws(SystemError) -> OpenedInput? {
    if log == nil, File.exists(path) { log = OpenedInput(try File.open(path)) }
    return log
  }

  /// Gives its descriptor back until it is read again, and depends on the log's name until then.
  mutating func release() { log = nil }

  /// Where the last `count` lines before `end` begin; an unfinished line counts.
  ///
  /// Reads backwards in chunks, so that the cost is independent of the log's size; gives up after `most`
  /// bytes of lines without end.
  static func start(
    ofLast count: UInt64, before end: UInt64, in file: borrowing FileDescriptor,
    within most: UInt64 = .max
  ) throws(SystemError) -> UInt64 {
    var offset = end
    var left = count
    var isEnd = true
    var looked: UInt64 = 0
    // Dropped output may be a hole a thousand times as large as the rest.
    let hole = file.firstHole(before: end)
    while offset > 0, left > 0, looked < most {
      if let hole, hole.lowerBound < offset, offset <= hole.upperBound {
        offset = hole.lowerBound
        continue
      }
      let first = hole.map { $0.upperBound < offset ? $0.upperBound : 0 } ?? 0
      let start = max(first, offset > UInt64(Self.portion) ? offset - UInt64(Self.portion) : 0)
      var bytes = try file.read(at: start, maximum: Int(offset - start))
      // The newline of the last line does not begin another one.
      if isEnd, bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
      isEnd = false
      while left > 0, let newline = bytes.lastIndex(of: UInt8(ascii: "\n")) {
        left -= 1
        if left == 0 { offset = start + UInt64(newline) + 1 }
        bytes.removeSubrange(newline...)
      }
      looked += UInt64(Self.portion)
      if left > 0 { offset = start }
    }
    return offset
  }

  /// How many lines end before where it reads on.
  func linesBefore() throws(SystemError) -> UInt64 {
    guard offset > 0, let log else { return 0 }
    return try Self.lines(before: offset, in: log.descriptor)
  }

  private static func lines(
    before offset: UInt64, in file: borrowing FileDescriptor
  ) throws(SystemError) -> UInt64 {
    var count: UInt64 = 0
    var place: UInt64 = 0
    while place < offset {
      guard let start = file.dataStart(from: place), start < offset else { break }
      place = start
      let bytes = try file.read(
        at: place, maximum: Int(min(offset - place, UInt64(portion))))
      if bytes.isEmpty { break }
      for byte in bytes where byte == UInt8(ascii: "\n") { count += 1 }
      place += UInt64(bytes.count)
    }
    return count
  }

  /// The output since the last call; empty without any.
  mutating func next() throws(SystemError) -> [UInt8] {
    guard let log = try opened() else { return [] }
    let bytes = try read(log.descriptor)
    guard bytes.isEmpty, try isReplaced(log.descriptor) else { return bytes }
    (self.log, offset) = (nil, 0)
    guard let log = try opened() else { return [] }
    return try read(log.descriptor)
  }

  /// Whether another file has the log's name now.
  private func isReplaced(_ file: borrowing FileDescriptor) throws(SystemError) -> Bool {
    guard let named = try? File.status(path) else { return false }
    let own = try file.status()
    return named.node != own.node || named.device != own.device
  }

  private mutating func read(_ file: borrowing FileDescriptor) throws(SystemError) -> [UInt8] {
    // Where the file system has no holes, a log over its limit was cut.
    offset = min(offset, try file.size())
    while let start = file.dataStart(from: offset) {
      let isAfterHole = start > offset
      let length = (file.holeStart(from: start) ?? .max) - start
      let read = try file.read(
        at: start, maximum: Int(clamping: min(UInt64(Self.portion), max(1, length))))
      // The middle of a log over its limit may have been left out in this moment.
      guard file.dataStart(from: start) ?? start == start else { continue }
      offset = start + UInt64(read.count)
      // The rest of a block that is freed in part only.
      let bytes = isAfterHole ? Array(read.drop { $0 == 0 }) : read
      if !bytes.isEmpty || read.isEmpty { return bytes }
    }
    return []
  }

  /// The last lines, made safe to show, as far as they are `within` this many bytes of the end; empty for an
  /// unreadable log.
  static func last(
    _ count: Int, of path: String, within tailBytes: UInt64 = Self.tailBytes
  ) -> [String] {
    end(count, of: path, within: tailBytes).map { SafeText.shown(shown($0, keepsColour: false)) }
  }

  /// The same, in the colours that the job has given them.
  static func lastLines(
    _ count: Int, of path: String, within tailBytes: UInt64 = Self.tailBytes
  ) -> [Line] {
    end(count, of: path, within: tailBytes).map(line)
  }

  private static func end(
    _ count: Int, of path: String, within tailBytes: UInt64
  ) -> ArraySlice<ArraySlice<UInt8>> {
    guard let file = try? File.open(path), let size = try? file.size(),
      let bytes = try? file.read(
        at: size > tailBytes ? size - tailBytes : 0, maximum: Int(tailBytes))
    else { return [] }
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.last?.isEmpty ?? false { lines.removeLast() }
    return lines.suffix(count)
  }

  /// A line in the colours that the job has given it.
  static func line(_ bytes: ArraySlice<UInt8>) -> Line {
    Line(output: shown(bytes, keepsColour: true))
  }

  /// The visible part of a line on a terminal: after its last carriage return.
  private static func shown(_ line: ArraySlice<UInt8>, keepsColour: Bool) -> String {
    let part = line.split(separator: UInt8(ascii: "\r")).last ?? []
    var filter = LogFilter(keepsColour: keepsColour)
    return String(decoding: filter.filtered(part), as: UTF8.self)
  }
}
