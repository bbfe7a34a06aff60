import JobCore
import JobRunner
import Testing

@Suite struct ProgressPaceTests {
  private let now = Instant(nanoseconds: 1_000_000_000)

  @Test func `progress that costs next to nothing is told as often as it is asked for`() {
    var pace = ProgressPace()
    pace.end(at: now, spent: Interval(nanoseconds: 50_000))
    #expect(pace.earliest <= now + .milliseconds(1))
  }

  @Test(arguments: [(0, 1), (9, 1), (10, 2), (59, 2), (60, 5), (86_400, 5)] as [(UInt64, UInt64)])
  func `a job that does not move is observed less often`(still: UInt64, seconds: UInt64) {
    #expect(ProgressPace.observation(still: .seconds(still)) == .seconds(seconds))
  }

  @Test(arguments: [10, 40, 150] as [UInt64])
  func `progress that takes long is followed by five times the pause`(milliseconds: UInt64) {
    var pace = ProgressPace()
    pace.end(at: now, spent: .milliseconds(milliseconds))
    #expect(pace.earliest == now + .milliseconds(5 * milliseconds))
  }

  @Test(arguments: [Interval.seconds(1), .seconds(30), Interval(nanoseconds: .max)])
  func `nobody waits longer than a second`(spent: Interval) {
    var pace = ProgressPace()
    pace.end(at: now, spent: spent)
    #expect(pace.earliest == now + .seconds(1))
  }
}
