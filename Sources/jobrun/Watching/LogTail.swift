import JobWire
import LinuxSystem

/// Reads a job's log: from its start on as it grows, or its last lines.
struct LogTail {
  let path: String
  private(set) var offset: UInt64 = 0

  /// Most bytes that are read in one go.
  private static let portion = 64 * 1024
  /// Longest piece of the end in which the last lines are looked for.
  private static let tailBytes: UInt64 = 16 * 1024

  init(path: String) {
    self.path = path
  }

  /// What was written since the last call; empty when nothing was.
  mutating func next() throws(SystemError) -> [UInt8] {
    guard File.exists(path) else { return [] }
    let bytes = try File.open(path).read(at: offset, maximum: Self.portion)
    offset += UInt64(bytes.count)
    return bytes
  }

  /// The last lines, made safe to show; empty when there is nothing to read.
  static func last(_ count: Int, of path: String) -> [String] {
    guard let file = try? File.open(path), let size = try? file.size(),
      let bytes = try? file.read(
        at: size > tailBytes ? size - tailBytes : 0, maximum: Int(tailBytes))
    else { return [] }
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.last?.isEmpty ?? false { lines.removeLast() }
    return lines.suffix(count).map(shown)
  }

  /// What a terminal would show of a line: what comes after the last carriage return.
  private static func shown(_ line: ArraySlice<UInt8>) -> String {
    let part = line.split(separator: UInt8(ascii: "\r")).last ?? []
    var filter = LogFilter(keepsColour: false)
    return SafeText.shown(String(decoding: filter.filtered(part), as: UTF8.self))
  }
}
