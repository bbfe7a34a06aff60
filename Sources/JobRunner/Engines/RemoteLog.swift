package import JobCore
import JobPage
import JobWire
package import LinuxSystem

/// The log of an attempt that runs elsewhere: its data is appended to the job's own log, which is read like any
/// other, even when the machine there is gone.
///
/// If part of it was dropped there before it could be sent, it is missing here, too, and a mark says so. A note
/// beside the log lets a later runner know how much was received.
package struct RemoteLog {
  package let path: String
  private let notePath: String
  private let limit: UInt64
  /// The difference between the received bytes and the size of the job's log: negative if earlier attempts
  /// wrote to it.
  ///
  /// Received values are clamped to `LogLayout.largest`, so that no sum overflows.
  private var shift: Int64 = 0
  /// How many bytes were left out.
  private var missing: UInt64 = 0
  /// How much of it was received or dropped: the next expected offset.
  package private(set) var received: UInt64 = 0
  /// The size at which the log's limit is checked next.
  private var lookAt = LogLayout.least
  /// Whether a write failed: later data is dropped until the missing part is sent again.
  package private(set) var isBehind = false
  /// When to request it again.
  package var askAgainAt: Instant?
  private var backOff = RemoteLog.firstBackOff

  private static let firstBackOff = Interval.seconds(5)
  private static let longestBackOff = Interval.minutes(5)

  /// From here on the job's log is that of this attempt.
  package init(
    beginning attempt: Int, path: String, note: String, limit: UInt64
  ) throws(SystemError) {
    (self.path, notePath, self.limit) = (path, note, limit)
    let log = try File.open(path, [.read, .write, .append, .create, .noFollow])
    let size = try log.size()
    if size > 0 {
      let isWhole = try log.read(at: size - 1, maximum: 1) == [0x0A]
      let begins = "jobrun: attempt \(attempt) begins, \(WallTime.now().text)\n"
      try log.writeAll(Array(((isWhole ? "" : "\n") + begins).utf8))
    }
    shift = -Self.held(try log.size())
    try writeNote()
  }

  /// Resumes the log that an earlier runner has.
  package init(resuming path: String, note: String, limit: UInt64) {
    (self.path, notePath, self.limit) = (path, note, limit)
    let size = ((try? File.status(path)) ?? nil)?.size ?? 0
    let words = String(decoding: (try? File.readAll(note, limit: 128)) ?? [], as: UTF8.self)
      .split(whereSeparator: \.isWhitespace).dropFirst().map { Int64($0) }
    if let known = words.first ?? nil, known.magnitude <= LogLayout.largest {
      // Earlier versions wrote where it begins.
      shift = words.count == 1 ? -known : known
    } else {
      shift = -Self.held(size)
    }
    if words.count > 1, let known = words[1], (0...Self.held(.max)).contains(known) {
      missing = UInt64(known)
    }
    count(size)
  }

  private static func held(_ bytes: UInt64) -> Int64 { Int64(min(bytes, LogLayout.largest)) }

  private mutating func count(_ size: UInt64) {
    received = UInt64(clamping: Self.held(size) + shift)
  }

  private func writeNote() throws(SystemError) {
    try File.writeAtomically(Array("log \(shift) \(missing)\n".utf8), to: notePath)
  }

  /// A new helper sends the log again: data that the old one sent is no longer under way.
  package mutating func goOn() { (isBehind, askAgainAt) = (false, nil) }

  /// Appends the data at `offset`, unless that exceeds the largest log; skips duplicates.
  package mutating func append(_ bytes: [UInt8], from offset: UInt64) {
    if offset > LogLayout.largest || offset > received && isBehind { return }
    do throws(SystemError) {
      goOn()
      if offset > received { try leaveOut(offset - received) }
      let new = bytes.dropFirst(Int(clamping: received - offset))
      if new.isEmpty { return }
      try open().writeAll(Array(new))
      received += UInt64(new.count)
      backOff = Self.firstBackOff
      keep()
    } catch {
      // A full disk accepts a part of the data, or none.
      if let size = try? open().size() { count(size) }
      isBehind = true
      askAgainAt = .now() + backOff
      backOff = min(backOff * 2, Self.longestBackOff)
    }
  }

  private func open() throws(SystemError) -> FileDescriptor {
    try File.open(path, [.read, .write, .append, .noFollow])
  }

  /// Writes a mark for dropped bytes, unless the data already has one.
  private mutating func leaveOut(_ bytes: UInt64) throws(SystemError) {
    let log = try open()
    let size = try log.size()
    let length = UInt64(LogLayout.markBytes)
    let tail = try log.read(at: size - min(size, length), maximum: LogLayout.markBytes)
    shift += Self.held(bytes)
    if !LogLayout.isMark(tail) {
      try log.writeAll(LogLayout.mark(missing: bytes))
      shift -= Int64(length)
    }
    missing += bytes
    received += bytes
    try writeNote()
  }

  /// Head and tail are kept when it is too long.
  private mutating func keep() {
    let size = UInt64(clamping: Self.held(received) - shift)
    guard size >= lookAt,
      var keeper = try? LogTruncator(path, limit: limit, watches: false, missing: missing)
    else { return }
    lookAt = size + keeper.keep() + 1
    // Where the file system has no holes, the log is shorter now.
    guard let shorter = try? open().size(), shorter < size else { return }
    missing += size - shorter
    shift += Self.held(size - shorter)
    lookAt = shorter + LogLayout.grain
    try? writeNote()
  }
}
