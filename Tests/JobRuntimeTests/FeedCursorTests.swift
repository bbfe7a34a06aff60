import JobRuntime
import Testing

/// A reader of the feed gets each line once, or a gap.
@Suite struct FeedCursorTests {
  @Test(
    arguments: [
      // since, oldest, newest, reported gap, continued after
      (since: 0, oldest: 1, newest: 9, gone: nil, after: 0),
      (since: 4, oldest: 1, newest: 9, gone: nil, after: 4),
      (since: 2, oldest: 6, newest: 9, gone: 3...5, after: 5),
      (since: 5, oldest: 6, newest: 9, gone: nil, after: 5),
      (since: 9, oldest: 1, newest: 9, gone: nil, after: 9),
      // Of another store.
      (since: 50, oldest: 1, newest: 9, gone: nil, after: 0),
      (since: 50, oldest: 4, newest: 9, gone: 1...3, after: 3),
      // An empty store.
      (since: 3, oldest: 10, newest: 9, gone: nil, after: 9),
    ]
      as [(
        since: UInt64, oldest: UInt64, newest: UInt64, gone: ClosedRange<UInt64>?, after: UInt64
      )])
  func `the past begins after what is known, and what is gone is told`(
    row: (
      since: UInt64, oldest: UInt64, newest: UInt64, gone: ClosedRange<UInt64>?, after: UInt64
    )
  ) {
    var cursor = FeedCursor()
    let gone = cursor.resume(after: row.since, oldest: row.oldest, newest: row.newest)
    #expect(gone == row.gone && cursor.replayedTo == row.after)
  }

  @Test func `lines that happen during the replay come with it, and none twice`() {
    var cursor = FeedCursor()
    _ = cursor.resume(after: 0, oldest: 1, newest: 3)
    var admitted = [cursor.admits(4, hasRoom: true)]
    cursor.replayed(to: 4)
    #expect(cursor.replayedTo == 4)
    cursor.replayed(to: nil)
    #expect(cursor.known == 4)
    admitted += [4, 5, 5].map { cursor.admits($0, hasRoom: true) }
    #expect(admitted == [false, false, true, false])
  }

  @Test func `a slow reader misses all until it has caught up`() {
    var cursor = FeedCursor()
    cursor.follow(after: 10)
    // Space is available again, but a line after an unreported gap would be useless.
    var admitted = zip([11, 12, 13], [true, false, true]).map {
      cursor.admits($0, hasRoom: $1)
    }
    let gaps = [cursor.catchUp(to: 13), cursor.catchUp(to: 13)]
    admitted.append(cursor.admits(14, hasRoom: true))
    #expect(admitted == [true, false, false, true])
    #expect(gaps.map { $0?.from } == [12, nil] && gaps.map { $0?.to } == [13, nil])
  }

  @Test func `a past that cannot be read is a gap`() {
    var cursor = FeedCursor()
    _ = cursor.resume(after: 2, oldest: 1, newest: 9)
    cursor.replayed(to: 5)
    cursor.loseReplay()
    let gap = cursor.catchUp(to: 9)
    #expect(gap?.from == 6 && gap?.to == 9)
  }
}
