/// Where a reader of the feed is: what it knows, what it still reads of the past, and what it missed.
///
/// A reader sees every sequence number once, ascending, or is told of a gap; then it gets snapshots of how
/// everything is.
package struct FeedCursor: Hashable, Sendable {
  /// Lines up to here are known to the reader.
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

  /// From what the reader knows; the lines of that which are kept no more.
  ///
  /// `oldest` is the first line that is kept, one more than `newest` when none is.
  package mutating func resume(
    after since: UInt64, oldest: UInt64, newest: UInt64
  ) -> ClosedRange<UInt64>? {
    self = FeedCursor()
    // A number from the future is of another store, of which nothing is known here.
    let last = since > newest ? 0 : since
    replayedTo = max(last, oldest - min(oldest, 1))
    return last + 1 < oldest && oldest <= newest ? last + 1...oldest - 1 : nil
  }

  /// The reader was given the past up to this line; nil when there is no more of it.
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

  /// Whether the reader is to get this line now; without room it misses it, and all until it caught up.
  package mutating func admits(_ sequence: UInt64, hasRoom: Bool) -> Bool {
    guard sequence > known, replayedTo == nil else { return false }
    guard gapFrom == nil, hasRoom else {
      gapFrom = gapFrom ?? sequence
      return false
    }
    known = sequence
    return true
  }

  /// The reader has taken all that it was given; what it missed, if anything.
  package mutating func catchUp(to newest: UInt64) -> (from: UInt64, to: UInt64)? {
    guard let from = gapFrom else { return nil }
    gapFrom = nil
    known = newest
    return (from, newest)
  }

  /// The reader listens no more.
  package mutating func leave() { (replayedTo, gapFrom) = (nil, nil) }
}
