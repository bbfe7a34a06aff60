import JobPage
import LinuxSystem
import TestKit
import Testing

/// Which part of a log that is too long is left out.
@Suite struct LogLayoutTests {
  private static let mega: UInt64 = 1 << 20

  @Test func `a log within its limit stays whole`() {
    let layout = LogLayout(limit: 4 * Self.mega)
    #expect(layout.hole(in: 4 * Self.mega, now: nil) == nil)
    #expect(layout.room(in: Self.mega, now: nil) == 3 * Self.mega)
  }

  @Test func `a quarter is head, half is tail, and a quarter is room`() {
    let layout = LogLayout(limit: 4 * Self.mega)
    let hole = layout.hole(in: 10 * Self.mega, now: nil)
    #expect(hole == Self.mega..<8 * Self.mega)
    #expect(layout.room(in: 10 * Self.mega, now: hole) == Self.mega)
    #expect(layout.hole(in: 11 * Self.mega, now: hole) == nil)
    #expect(layout.hole(in: 12 * Self.mega, now: hole) == Self.mega..<10 * Self.mega)
  }

  @Test func `a log that grows for ever stays within its limit`() {
    var generator = SeededGenerator(seed: 7)
    for limit in [1, Self.mega, 5 * Self.mega, 1 << 30] as [UInt64] {
      let layout = LogLayout(limit: limit)
      var size: UInt64 = 0
      var hole: Range<UInt64>?
      for _ in 0..<2000 {
        size += UInt64.random(in: 0...layout.limit, using: &generator)
        if let wanted = layout.hole(in: size, now: hole) {
          #expect(wanted.lowerBound == hole?.lowerBound ?? wanted.lowerBound)
          #expect(wanted.upperBound > hole?.upperBound ?? 0)
          #expect(wanted.upperBound <= size - layout.limit / 2)
          #expect(wanted.lowerBound % LogLayout.grain == 0 && wanted.lowerBound > 0)
          hole = wanted
        }
        let kept = size - (hole.map { $0.upperBound - $0.lowerBound } ?? 0)
        #expect(kept <= layout.limit + LogLayout.grain)
      }
    }
  }

  @Test func `a log is over its limit one byte after the room that was reported`() throws {
    let scratch = try Scratch()
    let file = try File.open(scratch.file("log"), [.read, .write, .append, .create])
    try file.writeAll([UInt8](repeating: 0x61, count: Int(Self.mega) + 1))
    var truncator = try LogTruncator(scratch.file("log"), limit: Self.mega, watches: false)
    for _ in 1...10 {
      let room = truncator.keep()
      #expect(room > 0)
      try file.writeAll([UInt8](repeating: 0x62, count: Int(room)))
      // Exactly full: nothing is cut yet.
      #expect(truncator.keep() == 0)
      try file.writeAll([0x63])
    }
  }

  @Test(arguments: [0, 588_895, UInt64.max]) func `a mark is a line, always as long`(bytes: UInt64)
  {
    let mark = LogLayout.mark(missing: bytes)
    #expect(mark.count == LogLayout.markBytes)
    #expect(mark.first == 0x0A && mark.last == 0x0A)
    #expect(String(decoding: mark, as: UTF8.self).contains("jobrun: \(bytes) bytes of output"))
  }
}
