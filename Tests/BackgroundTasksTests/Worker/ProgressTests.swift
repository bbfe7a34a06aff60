import BackgroundTasks
import Foundation
import JobPage
import Testing

@Suite(.timeLimit(.minutes(60)))
struct `Reporting progress` {
  /// A task whose work the test itself does.
  private func launchedTask(of job: HostedJob) throws -> BGTask {
    job.scheduler.register(forTaskWithIdentifier: HostedJob.identifier, using: nil) { task in
      task.expirationHandler = {}
    }
    return try job.launch()
  }

  /// A child for 20 units, and 5 units that no child takes (only synchronous code may do this).
  private func implicitChild(of progress: Progress) -> Progress {
    progress.becomeCurrent(withPendingUnitCount: 20)
    let child = Progress(totalUnitCount: 2)
    progress.resignCurrent()
    progress.becomeCurrent(withPendingUnitCount: 5)
    progress.resignCurrent()
    return child
  }

  @Test func `four threads lose no unit`() async throws {
    let job = try HostedJob()
    let task = try launchedTask(of: job)
    let progress = task.progress
    progress.totalUnitCount = 800_000
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<100_000 {
        progress.completedUnitCount += 1
        task.advance(by: 1)
      }
    }
    #expect(progress.completedUnitCount == 800_000)
    #expect(try job.page().completed == 800_000)
    #expect(progress.isFinished)
    #expect(progress.fractionCompleted == 1)
  }

  @Test func `four threads lose no unit while children are published`() async throws {
    let job = try HostedJob()
    let task = try launchedTask(of: job)
    let progress = task.progress
    progress.totalUnitCount = 400_001
    let child = Progress(totalUnitCount: 2, parent: progress, pendingUnitCount: 1)
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for step in 0..<100_000 {
        progress.completedUnitCount += 1
        if step % 10_000 == 0 { progress.totalUnitCount = 400_001 }
      }
    }
    #expect(progress.completedUnitCount == 400_000)
    child.completedUnitCount = 2
    #expect(progress.completedUnitCount == 400_001)
    task.setTaskCompleted(success: true)
    let page = try job.page()
    #expect((page.completed, page.total) == (400_001, 400_001))
  }

  @Test func `counts, unit and fraction are those of the page`() async throws {
    let job = try HostedJob()
    let task = try launchedTask(of: job)
    #expect(task.progress.isIndeterminate)
    task.progress.kind = .file
    #expect(task.unit == .bytes)
    task.progress.totalUnitCount = 200
    task.progress.completedUnitCount = 50
    #expect(task.progress.fractionCompleted == 0.25)
    task.progress.completedUnitCount -= 10
    #expect(task.progress.fractionCompleted == 0.2)
    let page = try job.page()
    #expect((page.completed, page.total, page.unit) == (40, 200, .bytes))
  }

  @Test func `counts below zero show nothing instead of a huge number`() async throws {
    let job = try HostedJob()
    let task = try launchedTask(of: job)
    task.progress.totalUnitCount = -1
    task.progress.completedUnitCount = -5
    #expect(task.progress.isIndeterminate)
    let page = try job.page()
    #expect((page.completed, page.total) == (0, 0))
  }

  @Test func `a child advances its parent before it is finished`() async throws {
    let job = try HostedJob()
    let task = try launchedTask(of: job)
    task.progress.totalUnitCount = 2
    let first = Progress(totalUnitCount: 1000, parent: task.progress, pendingUnitCount: 1)
    let second = Progress(totalUnitCount: 10, parent: task.progress, pendingUnitCount: 1)
    first.completedUnitCount = 500
    // Published by the sampler, the only writer here.
    var page = try await job.page { $0.total > 0 && $0.completed * 4 >= $0.total * 999 / 1000 }
    #expect(abs(Double(page.completed) / Double(page.total) - 0.25) < 0.001)
    first.completedUnitCount = 1000
    second.completedUnitCount = 10
    page = try await job.page { $0.completed == $0.total }
    #expect(task.progress.completedUnitCount == 2)
    #expect(task.progress.isFinished)
  }

  @Test func `children in the four ways of Foundation add up`() async throws {
    let job = try HostedJob()
    let task = try launchedTask(of: job)
    let progress = task.progress
    progress.totalUnitCount = 100
    progress.completedUnitCount = 10
    let added = Progress.discreteProgress(totalUnitCount: 4)
    progress.addChild(added, withPendingUnitCount: 30)
    let implicit = implicitChild(of: progress)
    let grandchild = Progress(totalUnitCount: 8, parent: added, pendingUnitCount: 4)
    #expect(progress.completedUnitCount == 15)
    implicit.completedUnitCount = 2
    #expect(progress.completedUnitCount == 35)
    grandchild.completedUnitCount = 4
    _ = try await job.page { $0.total > 0 && $0.completed * 2 >= $0.total * 99 / 100 }
    // The sampler brings it up to date just after the page.
    _ = try await job.page { _ in abs(progress.fractionCompleted - 0.5) < 0.001 }
    grandchild.completedUnitCount = 8
    #expect(progress.completedUnitCount == 65)
  }

  @Test func `siblings on several threads all arrive`() async throws {
    let job = try HostedJob()
    let task = try launchedTask(of: job)
    task.progress.totalUnitCount = 64
    DispatchQueue.concurrentPerform(iterations: 64) { _ in
      let child = Progress.discreteProgress(totalUnitCount: 1000)
      task.progress.addChild(child, withPendingUnitCount: 1)
      for _ in 0..<1000 { child.completedUnitCount += 1 }
    }
    task.setTaskCompleted(success: true)
    let page = try job.page()
    #expect((page.completed, page.total) == (64, 64), "in the author's units again")
    #expect(task.progress.completedUnitCount == 64)
  }

  @Test func `a stop cancels the children`() async throws {
    let job = try HostedJob()
    let task = try launchedTask(of: job)
    let cancelled = Awaited<Bool>()
    task.progress.totalUnitCount = 1
    let child = Progress(totalUnitCount: 1, parent: task.progress, pendingUnitCount: 1)
    child.cancellationHandler = { cancelled.set(child.isCancelled) }
    try job.stop()
    #expect(try await cancelled.value)
    let late = Progress.discreteProgress(totalUnitCount: 1)
    task.progress.addChild(late, withPendingUnitCount: 1)
    #expect(late.isCancelled)
  }
}
