package import JobCore

/// Derives progress from a program's position in its only input file, or from the size of its output.
///
/// For programs that print nothing. A position is only a hint, so every doubt ends it for good: a file that the
/// command does not name, that the job made itself, that is written or removed, that is read again, and a
/// second file of similar size.
package struct FileRecogniser: Hashable, Sendable {
  /// Smaller files are read too fast.
  package static let minimumBytes: UInt64 = 1 << 20

  private struct Look: Hashable, Sendable {
    var position: UInt64
    var modified: Int64
    var held: UInt64

    init(_ file: OpenFile) {
      position = file.place?.position ?? 0
      modified = file.modifiedNanoseconds
      held = file.heldBytes
    }
  }

  /// The input that is followed.
  private struct Input: Hashable, Sendable {
    var file: OpenFile
    var position: UInt64
    var at: Instant
    /// Where it was found first, and when.
    let start: UInt64
    let since: Instant
    /// The size of the process's memory then.
    let held: UInt64
    /// When it was last read, how often that was seen, and whether much of it was read at once.
    var movedAt: Instant
    var moves = 1
    var hasLeapt: Bool
    /// It is read into a buffer, much faster than it is worked on.
    var isBuffered = false

    /// Whether at least half of it is loaded into memory: the work on it comes later.
    func isHeld(_ file: OpenFile, at position: UInt64) -> Bool {
      file.heldBytes > held && file.heldBytes - held >= (position - start) / 2
    }
  }

  /// A larger part of the file between two looks is a leap.
  private static let leap: UInt64 = 20
  /// A position that rests this long after a jump means that the program works on the data.
  private static let rest = Interval.seconds(2)

  private var before: [OpenFile.Identity: Look] = [:]
  private var input: Input?
  private var output: OpenFile.Identity?
  /// Files give no more information about this job.
  private var isOver = false
  /// Whether the position is not a share of the work.
  private var isToldInWords = false
  package private(set) var finding: Finding?

  package init() {}

  /// Handles a sample of the regular files that the job has open, or names.
  package mutating func read(_ files: [OpenFile], at now: Instant) {
    guard !isOver else { return }
    let written = Set(
      files.filter { $0.place.map { $0.access != .reading } ?? false }.map(\.identity))
    let inputs = files.filter { isInput($0) && !written.contains($0.identity) }
    if let input {
      follow(input, among: inputs, at: now)
    } else {
      choose(among: inputs, at: now)
    }
    if input == nil, !isOver { amount(of: files) }
    before = Dictionary(
      files.map { ($0.identity, Look($0)) },
      uniquingKeysWith: { $0.position < $1.position ? $1 : $0 })
  }

  /// The job has succeeded: the bar is full if the file was read, otherwise it is removed.
  package mutating func conclude(at now: Instant) {
    guard let input, let last = finding else { return }
    if isToldInWords {
      finding = nil
      return
    }
    guard last.counts.total > 0 else {
      finding = Self.readAll(input.file, total: true)
      return
    }
    // Between the last look and the end it read on, at the pace that it had.
    let seen = Double((input.at - input.since).nanoseconds)
    let pace = seen > 0 ? Double(input.position - input.start) / seen : 0
    let reach = Double(input.position) + 3 * pace * Double((now - input.at).nanoseconds)
    finding = reach >= Double(input.file.size) ? Self.readAll(input.file, total: true) : nil
  }

  /// The size of the job's only input: the total for a program that prints a bare amount; nil without one, or
  /// with several.
  package static func inputBytes(of files: [OpenFile]) -> UInt64? {
    let inputs = files.filter {
      $0.isNamed && $0.isOlder && $0.place?.access == .reading && $0.size > 0
    }
    guard let first = inputs.first, inputs.allSatisfy({ $0.identity == first.identity }) else {
      return nil
    }
    return first.size
  }

  /// Whether a file may be the job's input: it has not been touched.
  private func isInput(_ file: OpenFile) -> Bool {
    file.size >= Self.minimumBytes && file.isOlder && file.hasName
      && (file.place?.access ?? .reading) == .reading
      && before[file.identity].map { $0.modified == file.modifiedNanoseconds } ?? true
  }

  private mutating func choose(among inputs: [OpenFile], at now: Instant) {
    let moved = inputs.filter { file in
      guard file.isNamed, let place = file.place, let last = before[file.identity] else {
        return false
      }
      return last.position < place.position
    }
    guard let file = moved.max(by: { $0.size < $1.size }), let place = file.place else { return }
    let start = before[file.identity]?.position ?? 0
    let first = Input(
      file: file, position: place.position, at: now, start: start, since: now,
      held: before[file.identity]?.held ?? 0, movedAt: now,
      hasLeapt: place.position - start > file.size / Self.leap)
    input = first
    if hasRival(file, among: inputs) { return end() }
    if first.isHeld(file, at: place.position) { return tellBuffered(file, at: place.position) }
    // A large first part may be a buffer's content.
    if place.position - start <= file.size / 2 { show(file, at: place.position) }
  }

  private mutating func follow(_ input: Input, among inputs: [OpenFile], at now: Instant) {
    let same = inputs.filter { $0.identity == input.file.identity && $0.place != nil }
    guard let file = same.first, let position = same.compactMap(\.place?.position).max() else {
      // Closed, or modified. A file that was read nearly to its end counts as read.
      let isRead = input.position >= input.file.size / 10 * 9
      return end(isRead ? Self.readAll(input.file, total: false) : nil)
    }
    guard position >= input.position, !hasRival(file, among: inputs) else { return end() }
    var next = input
    if position > input.position {
      next.hasLeapt = position - input.position > file.size / Self.leap
      next.moves += 1
      next.movedAt = now
    } else if next.hasLeapt, now - next.movedAt >= Self.rest {
      next.isBuffered = true
    }
    (next.position, next.at, next.file) = (position, now, file)
    self.input = next
    if next.isBuffered || next.isHeld(file, at: position) {
      tellBuffered(file, at: position)
    } else if next.moves > 1 {
      show(file, at: position)
    }
  }

  /// The position says nothing about the work, so it is described in words.
  private mutating func tellBuffered(_ file: OpenFile, at position: UInt64) {
    isToldInWords = true
    let percent = Double(position) / Double(max(1, file.size)) * 100
    finding = Finding(
      counts: ProgressCounts(completed: position, unit: .bytes), source: .file,
      recogniser: "reading \(file.name)",
      note: position < file.size
        ? "read \(Int(percent)) % of \(file.name)" : "read all of \(file.name)")
  }

  /// A second file of similar size: how the work divides between them is unknown.
  private func hasRival(_ file: OpenFile, among inputs: [OpenFile]) -> Bool {
    inputs.contains { other in
      other.identity != file.identity && other.size >= file.size / 2
        && (other.isNamed || (other.place?.position ?? 0) > 0)
    }
  }

  private mutating func show(_ file: OpenFile, at position: UInt64) {
    guard position < file.size else { return end(Self.readAll(file, total: false)) }
    isToldInWords = false
    finding = Finding(
      counts: ProgressCounts(completed: position, total: file.size, unit: .bytes), source: .file,
      recogniser: "reading \(file.name)", note: "reading \(file.name)")
  }

  private mutating func end(_ last: Finding? = nil) {
    isOver = true
    isToldInWords = false
    finding = last
  }

  /// The input is read and the job continues: the remaining time is unknown.
  private static func readAll(_ file: OpenFile, total: Bool) -> Finding {
    Finding(
      counts: ProgressCounts(completed: file.size, total: total ? file.size : 0, unit: .bytes),
      source: .file, recogniser: "reading \(file.name)",
      note: total ? nil : "read all of \(file.name)")
  }
}

// Files that are only written: an amount without a known total.
extension FileRecogniser {
  private mutating func amount(of files: [OpenFile]) {
    let written = files.filter { $0.hasName && $0.place?.access == .writing && hasMoved($0) }
    guard let output else {
      guard let file = written.max(by: { $0.size < $1.size }) else { return }
      output = file.identity
      return show(writing: file)
    }
    if let file = files.first(where: { $0.identity == output && $0.hasName }) {
      return show(writing: file)
    }
    // One file after the other: the amount of one says nothing about the work.
    if !written.isEmpty { end() }
  }

  private func hasMoved(_ file: OpenFile) -> Bool {
    guard let place = file.place, let last = before[file.identity], file.size >= Self.minimumBytes
    else { return false }
    return last.position < place.position
  }

  private mutating func show(writing file: OpenFile) {
    finding = Finding(
      counts: ProgressCounts(completed: file.place?.position ?? file.size, unit: .bytes),
      source: .file, recogniser: "writing \(file.name)", note: "writing \(file.name)")
  }
}
