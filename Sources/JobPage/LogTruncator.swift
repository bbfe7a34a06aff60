package import LinuxSystem

/// Keeps a job's log within its limit: head and tail stay, the middle is removed, and a mark says so.
///
/// The middle is punched out of the file (FALLOC_FL_PUNCH_HOLE of fallocate(2)): its blocks are freed, and
/// everything else keeps its offset. So writers notice nothing, and readers go on at the same offset. Where
/// the file system has no holes, the file is cut behind its head.
///
/// While nothing is written, nothing is done: the kernel reports changes (inotify(7)). Without a watch, as
/// their number is limited, the log is checked once a second.
package struct LogTruncator: ~Copyable {
  private let log: FileDescriptor
  private let path: String
  /// The requested limit in bytes.
  private let limit: UInt64
  private var layout: LogLayout
  private let changes: FileChanges?
  /// Bytes that were cut off where there are no holes, or dropped before they were written.
  private var missing: UInt64
  /// When to check next, on `AwakeClock`; nil = after the next write.
  package private(set) var lookAt: UInt64?

  /// The assumed maximum write rate in bytes a second: bounds the time until the next check.
  private static let fastest: UInt64 = 500 << 20
  /// The bounds of that time: 20 ms and 1 s.
  private static let shortest: UInt64 = 20_000_000
  private static let longest: UInt64 = 1_000_000_000

  /// Opens a log of which `missing` bytes are lost already.
  package init(
    _ path: String, limit: UInt64, watches: Bool, missing: UInt64 = 0
  ) throws(SystemError) {
    self.init(
      try File.open(path, [.read, .write, .noFollow]), path, limit: limit, missing: missing,
      changes: watches ? try? FileChanges(path) : nil)
    // A disk filled by others does not shrink a log that is already written.
    guard let size = try? log.size(), let share = try? share(with: size) else { return }
    layout = LogLayout(limit: min(limit, max(size, share)))
  }

  private init(
    _ log: consuming FileDescriptor, _ path: String, limit: UInt64, missing: UInt64,
    changes: consuming FileChanges?
  ) {
    self.log = log
    self.missing = missing
    self.path = path
    self.limit = limit
    self.changes = changes
    layout = LogLayout(limit: limit)
    lookAt = AwakeClock.now()
  }

  /// The space that one log may take of its disk: half of its own size and the free space together.
  private borrowing func share(with kept: UInt64) throws(SystemError) -> UInt64 {
    try FileSystemSpace(path: path).freeBytes / 2 + kept / 2
  }

  /// A disk that was full when the job started may have space again.
  private mutating func raiseLimit(_ size: UInt64, _ hole: Range<UInt64>?) {
    let missing = hole.map { $0.upperBound - $0.lowerBound } ?? 0
    guard layout.limit < limit, let share = try? share(with: size - min(size, missing)) else {
      return
    }
    layout = LogLayout(limit: max(layout.limit, min(limit, share)))
  }

  /// For a poll; nil while no change is awaited.
  package var number: Int32? {
    guard lookAt == nil else { return nil }
    switch changes {
    case .some(let watch): return watch.number
    case .none: return nil
    }
  }

  /// Checks the log after a write, or when the next check is due.
  package mutating func look() {
    let isQuiet = lookAt != nil && changes?.drain() == false
    let room = keep()
    let pause = room / (Self.fastest / 1_000) * 1_000_000
    lookAt =
      isQuiet ? nil : AwakeClock.now() + min(Self.longest, max(Self.shortest, pause))
  }

  /// Removes the middle of a log that is too long; returns how many bytes may still be written.
  @discardableResult
  package mutating func keep() -> UInt64 {
    guard let size = try? log.size() else { return layout.limit }
    let hole = log.firstHole(before: size)
    if layout.hole(in: size, now: hole) != nil { raiseLimit(size, hole) }
    guard let wanted = layout.hole(in: size, now: hole) else {
      return layout.room(in: size, now: hole)
    }
    do throws(SystemError) {
      try log.punchHole(wanted)
      mark(before: wanted.lowerBound, missing: wanted.upperBound - wanted.lowerBound + missing)
      return layout.room(in: size, now: wanted)
    } catch {
      // A disk that is full or fails now may have space for the hole at the next check.
      if error.number == SystemError.notSupported || error.number == SystemError.notImplemented {
        cut(to: wanted.lowerBound, size)
      }
    }
    return layout.limit / 4
  }

  private func mark(before end: UInt64, missing bytes: UInt64) {
    let mark = LogLayout.mark(missing: bytes)
    // The log is shorter even without the mark.
    try? log.write(mark, at: end - UInt64(mark.count))
  }

  /// Cuts the tail off; later output follows the head.
  private mutating func cut(to start: UInt64, _ size: UInt64) {
    guard (try? log.resize(to: start)) != nil else { return }
    missing += size - start
    mark(before: start, missing: missing)
  }
}
