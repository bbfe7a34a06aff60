import JobCore

/// Finds how far a program is in the largest file that it reads, or how much it has written.
///
/// For programs that say nothing. A file counts once it is large and its position has grown between
/// two looks: what is only held open, or mapped, or read in an instant, is no progress.
package struct FileRecogniser: Hashable, Sendable {
  /// Smaller files are read in no time.
  static let leastBytes: UInt64 = 1 << 20

  private var positions: [OpenFile.Identity: UInt64] = [:]
  /// Files that have been seen to move, with what they are compared by.
  private var chosen: OpenFile?
  package private(set) var finding: Finding?

  package init() {}

  /// Takes one look at all regular files that the job has open.
  package mutating func take(_ files: [OpenFile]) {
    let moved = files.filter { file in
      file.size >= Self.leastBytes
        && positions[file.identity].map { $0 < file.place.position } ?? false
    }
    positions = Dictionary(
      files.map { ($0.identity, $0.place.position) },
      uniquingKeysWith: { first, second in max(first, second) })
    if let largest = moved.max(by: Self.isLess), takesOver(largest, among: files) {
      chosen = largest
    }
    guard let chosen, let now = files.first(where: { $0.identity == chosen.identity }) else {
      return finish()
    }
    self.chosen = now
    finding = Self.finding(of: now)
  }

  /// The size of the largest file that is read from: what a program that only tells an amount is to
  /// get through; nil when there is none.
  package static func largestInput(of files: [OpenFile]) -> UInt64? {
    files.filter { !$0.place.isWriting }.map(\.size).max().flatMap { $0 > 0 ? $0 : nil }
  }

  /// Reading comes before writing, since its end is known.
  private static func isLess(_ left: OpenFile, _ right: OpenFile) -> Bool {
    if left.place.isWriting != right.place.isWriting { return left.place.isWriting }
    return left.size < right.size
  }

  private func takesOver(_ file: OpenFile, among files: [OpenFile]) -> Bool {
    guard let chosen, files.contains(where: { $0.identity == chosen.identity }) else { return true }
    return Self.isLess(chosen, file)
  }

  /// The file was closed: what was read to its last part is taken as read.
  private mutating func finish() {
    guard let chosen, var last = finding else { return }
    self.chosen = nil
    if !chosen.place.isWriting, chosen.place.position >= chosen.size / 10 * 9 {
      last.counts.completed = last.counts.total
      finding = last
    }
  }

  private static func finding(of file: OpenFile) -> Finding {
    let counts =
      file.place.isWriting
      ? ProgressCounts(completed: file.place.position, unit: .bytes)
      : ProgressCounts(
        completed: min(file.place.position, file.size), total: file.size, unit: .bytes)
    let verb = file.place.isWriting ? "writing" : "reading"
    return Finding(counts: counts, source: .file, recogniser: "\(verb) \(file.name)")
  }
}
