import BackgroundTasks
import Foundation
import JobPage
import Testing

@Suite(.timeLimit(.minutes(60)))
struct `Registering handlers` {
  @Test func `a second handler for the same identifier is refused and the first one stays`()
    async throws
  {
    let job = try HostedJob()
    let ran = Awaited<String>()
    let pattern = "io.example.samples.export.*"
    #expect(job.scheduler.register(forTaskWithIdentifier: pattern) { _ in ran.set("first") })
    #expect(!job.scheduler.register(forTaskWithIdentifier: pattern) { _ in ran.set("second") })
    try job.launch()
    #expect(try await ran.value == "first")
  }

  @Test(arguments: ["", "io..example", "io.example.*.export", "*"])
  func `a malformed identifier is refused`(identifier: String) throws {
    let job = try HostedJob()
    let accepted = job.scheduler.register(forTaskWithIdentifier: identifier, using: nil) { _ in }
    #expect(!accepted)
  }

  @Test func `the more specific handler runs`() async throws {
    let job = try HostedJob()
    let ran = Awaited<String>()
    for pattern in ["io.example.*", HostedJob.identifier, "io.example.samples.export.*"] {
      job.scheduler.register(forTaskWithIdentifier: pattern) { _ in ran.set(pattern) }
    }
    try job.launch()
    #expect(try await ran.value == HostedJob.identifier)
  }

  @Test func `a job without a handler fails and says which there are`() throws {
    let job = try HostedJob(identifier: "io.example.samples.other.x")
    job.scheduler.register(forTaskWithIdentifier: "io.example.samples.export.*") { _ in }
    #expect(throws: WorkerError.self) { try job.launch() }
    let page = try job.page()
    #expect(page.outcome == .failure)
    #expect(page.message.contains("io.example.samples.other.x"))
    #expect(page.message.contains("io.example.samples.export.*"))
  }

  @Test func `outside a job handlers are taken and the launch says why it cannot be`() {
    let scheduler = BGTaskScheduler(environment: [:])
    #expect(scheduler.register(forTaskWithIdentifier: "io.example.a", using: nil) { _ in })
    #expect(!scheduler.isWorker)
    #expect(scheduler.attempt == nil)
    #expect(throws: WorkerError.notLaunched(missing: "JOBRUN_PAGE")) {
      try scheduler.launch { _ in }
    }
  }

  @Test func `a job learns its attempt and its folder`() throws {
    let job = try HostedJob()
    #expect(job.scheduler.isWorker)
    #expect(job.scheduler.attempt == 2)
    #expect(job.scheduler.stateDirectory?.path.hasSuffix("/work") == true)
  }
}
