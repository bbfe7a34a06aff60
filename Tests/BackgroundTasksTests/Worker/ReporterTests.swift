import BackgroundTasks
import Foundation
import JobPage
import Testing

@Suite(.timeLimit(.minutes(60)))
struct `The only writer of a task's counts` {
  private func launchedTask(of job: HostedJob) throws -> BGTask {
    job.scheduler.register(forTaskWithIdentifier: HostedJob.identifier, using: nil) { task in
      task.expirationHandler = {}
    }
    return try job.launch()
  }

  @Test func `what it counts is on the page at once, and in the progress after its end`() throws {
    let job = try HostedJob()
    let task = try launchedTask(of: job)
    task.progress.totalUnitCount = 100
    task.progress.completedUnitCount = 10
    do {
      guard var reporter = task.makeReporter() else { throw CancellationError() }
      #expect(reporter.completedUnitCount == 10)
      for _ in 0..<30 { reporter.advance(by: 1) }
      #expect(try job.page().completed == 40)
      reporter.complete(50)
    }
    #expect(task.progress.completedUnitCount == 50)
    #expect(task.progress.fractionCompleted == 0.5)
  }

  @Test func `there is one at a time, and none beside children`() throws {
    let job = try HostedJob()
    let task = try launchedTask(of: job)
    func isFree() -> Bool { task.makeReporter() != nil }
    do {
      guard let reporter = task.makeReporter() else { throw CancellationError() }
      #expect(!isFree())
      #expect(reporter.completedUnitCount == 0)
    }
    #expect(isFree())
    task.progress.addChild(Progress(totalUnitCount: 1), withPendingUnitCount: 1)
    #expect(!isFree())
  }

  @Test(arguments: [("processing", "BGProcessingTask"), ("refresh", "BGAppRefreshTask")])
  func `the runner's word decides on the class of the task`(kind: String, name: String) throws {
    let job = try HostedJob(kind: kind)
    let task = try launchedTask(of: job)
    #expect("\(type(of: task))" == name)
    task.progress.totalUnitCount = 7
    #expect(try job.page().total == 7)
  }
}
