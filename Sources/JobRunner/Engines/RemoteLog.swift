package import JobCore
import JobPage
import JobWire
package import LinuxSystem

/// The log of an attempt that runs elsewhere, as it comes along: it is written to the job's own log, and so is
/// read here as any other, also when the machine there is gone.
///
/// What was left out there, before anybody could take it, is left out here, and a mark says so. Beside the log
/// lies where it begins and what is left out, by which a later runner knows how much it has.
package struct RemoteLog {
  package let path: String
  private let notePath: String
  private let limit: UInt64
  /// Where it begins in the job's log.
  private var start: UInt64
  /// How many bytes were left out, and how many marks say so here.
  private var missing: UInt64 = 0
  private var marks: UInt64 = 0
  /// How much of it is here, or left out: the next byte that is wanted.
  package private(set) var received: UInt64 = 0
  /// With how many bytes it is looked whether the log is too long.
  private var lookAt = LogLayout.least
  /// When what could not be written is to be asked for again.
  package var askAgainAt: Instant?

  private static let patience = Span.seconds(5)

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
    start = try log.size()
    try writeNote()
  }

  /// Goes on with what an earlier runner has.
  package init(resuming path: String, note: String, limit: UInt64) {
    (self.path, notePath, self.limit) = (path, note, limit)
    let size = ((try? File.status(path)) ?? nil)?.size ?? 0
    start = size
    if let bytes = try? File.readAll(note, limit: 128) {
      let words = String(decoding: bytes.dropLast(), as: UTF8.self).split(separator: " ").map {
        UInt64($0)
      }
      if words.count > 1, let begin = words[1] { start = min(size, begin) }
      if words.count > 3, let missing = words[2], let marks = words[3] {
        (self.missing, self.marks) = (missing, marks)
      }
    }
    received = Self.received(size, start, missing, marks)
  }

  private static func received(
    _ size: UInt64, _ start: UInt64, _ missing: UInt64, _ marks: UInt64
  ) -> UInt64 {
    let added = start + marks * UInt64(LogLayout.markBytes)
    return size - min(size, added) + missing
  }

  private func writeNote() throws(SystemError) {
    try File.writeAtomically(Array("log \(start) \(missing) \(marks)\n".utf8), to: notePath)
  }

  /// Takes what begins at `offset` there; what came twice is there already.
  package mutating func append(_ bytes: [UInt8], from offset: UInt64) {
    // All of it is asked for again.
    if offset > received, askAgainAt != nil { return }
    do throws(SystemError) {
      if offset > received { try leaveOut(offset - received) }
      let new = bytes.dropFirst(Int(clamping: received - offset))
      if new.isEmpty { return }
      try open().writeAll(Array(new))
      received += UInt64(new.count)
      askAgainAt = nil
      keep()
    } catch {
      // A full disk takes a part of it, or nothing.
      if let size = try? open().size() {
        received = Self.received(size, start, missing, marks)
      }
      askAgainAt = .now() + Self.patience
    }
  }

  private func open() throws(SystemError) -> FileDescriptor {
    try File.open(path, [.read, .write, .append, .noFollow])
  }

  /// Unless what came before says so itself, a mark does.
  private mutating func leaveOut(_ count: UInt64) throws(SystemError) {
    let log = try open()
    let size = try log.size()
    let length = UInt64(LogLayout.markBytes)
    let tail = try log.read(at: size - min(size, length), maximum: LogLayout.markBytes)
    let isMarked = LogLayout.isMark(tail)
    if !isMarked {
      try log.writeAll(LogLayout.mark(missing: count))
      marks += 1
    }
    missing += count
    received += count
    try writeNote()
  }

  /// Head and tail are kept, as by a supervisor here.
  private mutating func keep() {
    let size = start + received - missing + marks * UInt64(LogLayout.markBytes)
    guard size >= lookAt,
      var keeper = try? LogKeeper(path, limit: limit, watches: false, missing: missing)
    else { return }
    let room = keeper.keep()
    lookAt = size + room + 1
    // Where the file system has no holes, the log is shorter now.
    guard let shorter = try? open().size(), shorter < size else { return }
    missing += size - shorter
    lookAt = shorter + LogLayout.grain
    try? writeNote()
  }
}
