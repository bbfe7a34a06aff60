import JobCore
import JobStore
import JobWire
import Testing

@Suite struct HostedRowTests {
  private var hosted: JobRecord {
    var row = StoredJobs.plain(4)
    row.submission.isHosted = true
    row.host = JobHost(mark: "0123456789abcdef", pid: 77, startTime: .max)
    return row
  }

  @Test func `a hosted job comes back with its process, and with nothing to execute`() throws {
    try withStore { store in
      try store.insert(hosted, specification: nil)
      #expect(try store.job(JobNumber(4)) == hosted)
      #expect(try !store.hasSpecification(JobNumber(4)))
    }
  }

  @Test(arguments: [nil, "its on-end command was cut short"])
  func `a warning of the process goes when it lets go, one of the end command stays`(
    failure: String?
  ) throws {
    try withStore { store in
      try store.insert(hosted, specification: nil)
      var ended = hosted
      ended.state = .ended(.cancelled, nil)
      ended.lingers = true
      ended.warning = "its work goes on"
      try store.update(ended)
      let due = try store.addEndCommand(of: JobNumber(4), "true", variables: [])
      try store.endCommandIsOver(due, warning: failure)
      #expect(try store.lingeringJobs().map(\.warning) == [failure ?? "its work goes on"])
      try store.endLingering(JobNumber(4))
      #expect(try store.lingeringJobs().isEmpty)
      #expect(try store.job(JobNumber(4))?.warning == failure)
    }
  }

  @Test func `what lingers is listed and kept until its process lets go`() throws {
    try withStore { store in
      try store.insert(hosted, specification: nil)
      var ended = hosted
      ended.state = .ended(.cancelled, nil)
      ended.endedMilliseconds = 1
      ended.lingers = true
      try store.update(ended)
      #expect(try store.liveJobs().isEmpty)
      #expect(try store.lingeringJobs() == [ended])
      #expect(try store.prune(keeping: 0, limit: 10).isEmpty)
      try store.endLingering(JobNumber(4))
      #expect(try store.lingeringJobs().isEmpty)
      #expect(try store.prune(keeping: 0, limit: 10) == [JobNumber(4)])
    }
  }
}
