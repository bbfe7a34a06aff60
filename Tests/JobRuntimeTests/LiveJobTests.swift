import JobCore
import JobRuntime
import JobWire
import Testing

@Suite struct LiveJobTests {
  /// A hundred thousand may wait: with the scheduler's data of each, and the texts of both, that is 2 KiB for
  /// each.
  @Test func `a liveJob of a job that waits takes 920 bytes at most`() {
    #expect(MemoryLayout<LiveJob>.stride <= 920, "\(MemoryLayout<LiveJob>.stride)")
  }

  @Test func `one that has put itself off waits for what its worker has said`() throws {
    let stage = try Stage()
    var job = try stage.job("trip")
    let paths = try Paths(environment: Environment(["JOBRUN_HOME": "/home/of/tests"]), user: 1_000)
    func reason() -> String? {
      job.object(
        core: nil, text: nil, paths: paths, now: stage.moment.awake, wallNow: stage.moment.wall
      ).pendingReason?.message
    }
    job.attempt = 1
    job.state = .queued(PendingReason(.notBefore, "it asked to be retried in 5m"))
    job.delayedUntil = stage.moment.awake + .minutes(5)
    #expect(reason() == "it asked to be retried in 5m")
    job.message = "the network is metered"
    #expect(reason() == "it asked to be retried in 5m: the network is metered")
    // The last attempt's message is not the reason for a time that a person has set since.
    job.delayedUntil = nil
    #expect(reason() == "it asked to be retried in 5m")
  }
}
