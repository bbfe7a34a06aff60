package import JobCore
import JobPage
import JobWire
package import LinuxSystem

/// The log of an attempt that runs elsewhere, as it comes along: it is written to the job's own log, and so is
/// read here as any other, also when the machine there is gone.
///
/// What was left out there, before anybody could take it, is left out here, and a mark says so. A note beside
/// the log lets a later runner know how much it has.
package struct RemoteLog {
  package let path: String
  private let notePath: String
  private let limit: UInt64
  /// How much more of it was received than the job's log has bytes: negative where others came before it.
  ///
  /// What others say of it is held within `LogLayout.largest`, so that no sum of it overflows.
  private var shift: Int64 = 0
  /// How many bytes were left out.
  private var missing: UInt64 = 0
  /// How much of it is here, or left out: the next byte that is wanted.
  package private(set) var received: UInt64 = 0
  /// With how many bytes it is looked whether the log is too long.
  private var lookAt = LogLayout.least
  /// Something could not be written: what comes is dropped until that comes again.
  package private(set) var isBehind = false
  /// When that is to be asked for.
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

  /// Goes on with what an earlier runner has.
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

  /// Another helper tells all of it: nothing of what the one before told is under way any more.
  package mutating func goOn() { (isBehind, askAgainAt) = (false, nil) }

  /// Takes what begins at `offset` there, unless no log is so long; what came twice is there already.
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
      // A full disk takes a part of it, or nothing.
      if let size = try? open().size() { count(size) }
      isBehind = true
      askAgainAt = .now() + backOff
      backOff = min(backOff * 2, Self.longestBackOff)
    }
  }

  private func open() throws(SystemError) -> FileDescriptor {
    try File.open(path, [.read, .write, .append, .noFollow])
  }

  /// Unless what came before says so itself, a mark does.
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
