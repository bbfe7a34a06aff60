import JobCore
import JobRunner
import JobStore
import JobWire
import LinuxSystem
import TestKit
import Testing

@Suite struct HistoryPrunerTests {
  /// A store with so many ended jobs.
  private func store(in sandbox: Sandbox, ended count: UInt64) throws -> Store {
    let identifier = try #require(JobIdentifier("io.jobrun.test.n"))
    let store = try Store(path: sandbox.path("jobrun.db"))
    try store.transaction(.normal) { () throws(StoreError) in
      for number in 1...count {
        var row = JobRecord(
          number: JobNumber(number),
          submission: Submission(
            key: "key\(number)abcdefghijklmnop", identifier: identifier, speaksPage: false),
          title: "n", submittedMilliseconds: 1)
        row.state = .ended(.cancelled, nil)
        row.endedMilliseconds = Int64.max / 2_000_000 + Int64(number)
        try store.insert(row, specification: nil)
      }
    }
    return store
  }

  @Test func `a crowd that ends at once is forgotten a page at a time`() throws {
    try withSandbox { sandbox in
      let store = try store(in: sandbox, ended: 1_000)
      var forgotten: [JobNumber] = []
      var mayForget = false
      var configuration = RunnerConfiguration()
      configuration.historyCount = 1_000
      let keeper = HistoryPruner(
        store: store, configuration: { configuration }, mayForget: { mayForget },
        forget: { forgotten.append($0) }, trouble: { Issue.record("\($0)") })
      for _ in 1..<Limits.prunedEvery { keeper.jobEnded() }
      #expect(keeper.nextDue == nil)
      configuration.historyCount = 100
      for _ in 1...900 { keeper.jobEnded() }
      #expect(try store.endedCount() == 1_000)
      keeper.act(at: try #require(keeper.nextDue))
      #expect(forgotten.isEmpty)
      mayForget = true
      keeper.act(at: try #require(keeper.nextDue))
      #expect(forgotten.count == Limits.listPage)
      while let due = keeper.nextDue { keeper.act(at: due) }
      #expect(forgotten == (1...900).map { JobNumber($0) })
      #expect(try store.endedCount() == 100)
      configuration.historyCount = 2
      keeper.jobEnded()
      while let due = keeper.nextDue { keeper.act(at: due) }
      #expect(try store.endedCount() == 2)
    }
  }

  @Test func `what a client still reads is forgotten once it has left`() throws {
    try withSandbox { sandbox in
      let store = try store(in: sandbox, ended: 10)
      var read: Set<JobNumber> = [JobNumber(2), JobNumber(3)]
      var forgotten: [JobNumber] = []
      var configuration = RunnerConfiguration()
      configuration.historyCount = 5
      let keeper = HistoryPruner(
        store: store, configuration: { configuration }, mayForget: { true },
        isRead: { read.contains($0) }, forget: { forgotten.append($0) },
        trouble: { Issue.record("\($0)") })
      keeper.act(at: Instant(nanoseconds: AwakeClock.now()))
      #expect(forgotten == [1, 4, 5].map { JobNumber($0) })
      read = []
      // It looks again by itself, but not at once.
      let due = try #require(keeper.nextDue)
      #expect(due.nanoseconds > AwakeClock.now() + 10_000_000_000)
      keeper.act(at: due)
      #expect(forgotten == [1, 4, 5, 2, 3].map { JobNumber($0) })
      #expect(keeper.nextDue == nil)
    }
  }
}
