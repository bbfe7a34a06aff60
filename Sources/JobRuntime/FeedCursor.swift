/// The position of a feed reader: the lines it has, the past lines it still reads, and the gap it missed.
///
/// A reader gets every sequence number once, ascending, or a gap; after a gap it gets snapshots of all jobs.
package struct FeedCursor: Hashable, Sendable {
  /// The last line that the reader has.
  package private(set) var known: UInt64 = 0
  /// The past is still being read, up to here; nil = the reader is in the present.
  package private(set) var replayedTo: UInt64?
  /// The first line that the reader missed; nil = none.
  package private(set) var gapFrom: UInt64?

  package init() {}

  /// From now on, after the newest line.
  package mutating func follow(after newest: UInt64) {
    self = FeedCursor()
    known = newest
  }

  /// Resumes after the reader's last line; returns the lines in between that are no longer stored.
  ///
  /// `oldest` is the first stored line, one more than `newest` without any.
  package mutating func resume(
    after since: UInt64, oldest: UInt64, newest: UInt64
  ) -> ClosedRange<UInt64>? {
    self = FeedCursor()
    // A number from the future comes from another store, whose lines are unknown here.
    let last = since > newest ? 0 : since
    replayedTo = max(last, oldest - min(oldest, 1))
    return last + 1 < oldest && oldest <= newest ? last + 1...oldest - 1 : nil
  }

  /// The reader got the past up to this line; nil at its end.
  package mutating func replayed(to last: UInt64?) {
    guard let before = replayedTo else { return }
    replayedTo = last
    known = last ?? max(before, known)
  }

  /// The past cannot be read.
  package mutating func loseReplay() {
    guard let before = replayedTo else { return }
    replayedTo = nil
    gapFrom = before + 1
  }

  /// Whether to send this line to the reader now; without space, the reader misses it and all later ones until
  /// it has caught up.
  package mutating func admits(_ sequence: UInt64, hasRoom: Bool) -> Bool {
    guard sequence > known, replayedTo == nil else { return false }
    guard gapFrom == nil, hasRoom else {
      gapFrom = gapFrom ?? sequence
      return false
    }
    known = sequence
    return true
  }

  /// The reader has taken all its output; returns its gap, if there is one.
  package mutating func catchUp(to newest: UInt64) -> (from: UInt64, to: UInt64)? {
    guard let from = gapFrom else { return nil }
    gapFrom = nil
    known = newest
    return (from, newest)
  }

  /// The reader listens no more.
  package mutating func leave() { (replayedTo, gapFrom) = (nil, nil) }
}
