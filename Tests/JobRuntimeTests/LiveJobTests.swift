import JobRuntime
import Testing

@Suite struct LiveJobTests {
  /// A hundred thousand may wait: with what the scheduler has of each, and the texts of both, that is
  /// 2 KiB for each.
  @Test func `a liveJob of a job that waits takes 900 bytes at most`() {
    #expect(MemoryLayout<LiveJob>.stride <= 900, "\(MemoryLayout<LiveJob>.stride)")
  }
}
