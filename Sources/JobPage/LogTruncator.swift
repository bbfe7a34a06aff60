package import LinuxSystem

/// Keeps a job's log within its limit: head and tail stay, the middle goes, and a mark says so.
///
/// The middle is punched out of the file (FALLOC_FL_PUNCH_HOLE of fallocate(2)): its blocks are free,
/// and everything else stays where it is. So whoever writes notices nothing, and whoever reads goes on
/// at the offset where it was. Where the file system has no holes, the file is cut behind its head.
///
/// As long as nothing is written, nothing is done: the kernel tells of changes (inotify(7)). Where it
/// watches too many files already, this one is looked at once a second.
package struct LogTruncator: ~Copyable {
  private let log: FileDescriptor
  private let path: String
  /// What was asked for, in bytes.
  private let limit: UInt64
  private var layout: LogLayout
  private let changes: FileChanges?
  /// What was cut off where there are no holes, or never came.
  private var missing: UInt64
  /// When to look next, on `AwakeClock`; nil = once something is written.
  package private(set) var lookAt: UInt64?

  /// Nothing is believed to write faster, in bytes a second: bounds the time until the next look.
  private static let fastest: UInt64 = 500 << 20
  /// Bounds of that time: 20 ms and 1 s.
  private static let shortest: UInt64 = 20_000_000
  private static let longest: UInt64 = 1_000_000_000

  /// Of a log of which so many bytes are `missing` already.
  package init(
    _ path: String, limit: UInt64, watches: Bool, missing: UInt64 = 0
  ) throws(SystemError) {
    self.init(
      try File.open(path, [.read, .write, .noFollow]), path, limit: limit, missing: missing,
      changes: watches ? try? FileChanges(path) : nil)
    // What others have filled the disk with takes nothing from what was written before.
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

  /// What one log may take of its disk: half of what it has and what is free.
  private borrowing func share(with kept: UInt64) throws(SystemError) -> UInt64 {
    try FileSystemSpace(path: path).freeBytes / 2 + kept / 2
  }

  /// A disk that was full when the job began may have room again.
  private mutating func raiseLimit(_ size: UInt64, _ hole: Range<UInt64>?) {
    let missing = hole.map { $0.upperBound - $0.lowerBound } ?? 0
    guard layout.limit < limit, let share = try? share(with: size - min(size, missing)) else {
      return
    }
    layout = LogLayout(limit: max(layout.limit, min(limit, share)))
  }

  /// For a poll; nil while nobody wants to know.
  package var number: Int32? {
    guard lookAt == nil else { return nil }
    switch changes {
    case .some(let watch): return watch.number
    case .none: return nil
    }
  }

  /// Something was written, or the time for the next look has come.
  package mutating func look() {
    let isQuiet = lookAt != nil && changes?.drain() == false
    let room = keep()
    let pause = room / (Self.fastest / 1_000) * 1_000_000
    lookAt =
      isQuiet ? nil : AwakeClock.now() + min(Self.longest, max(Self.shortest, pause))
  }

  /// Leaves the middle out when there is too much; how many bytes may still come.
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
    } catch {
      // A disk that is full or fails now may have room for the hole at the next look.
      if error.number == SystemError.notSupported || error.number == SystemError.notImplemented {
        cut(to: wanted.lowerBound, size)
      }
    }
    return layout.limit / 4
  }

  private func mark(before end: UInt64, missing bytes: UInt64) {
    let mark = LogLayout.mark(missing: bytes)
    // Without it the log is shorter all the same.
    try? log.write(mark, at: end - UInt64(mark.count))
  }

  /// The tail is lost; what comes then follows the head.
  private mutating func cut(to start: UInt64, _ size: UInt64) {
    guard (try? log.resize(to: start)) != nil else { return }
    missing += size - start
    mark(before: start, missing: missing)
  }
}
