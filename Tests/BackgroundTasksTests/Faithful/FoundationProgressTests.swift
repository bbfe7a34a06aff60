import BackgroundTasks
import Foundation
import Testing

/// Foundation's own tests of `Progress`, applied to the progress of a task: fractions through children and
/// grandchildren, with and without totals.
@Suite(.timeLimit(.minutes(60)))
struct `A task's progress is as exact as Foundation's` {
  private func task(_ total: Int64) throws -> (HostedJob, BGTask) {
    let job = try HostedJob()
    job.scheduler.register(forTaskWithIdentifier: HostedJob.identifier, using: nil) { task in
      task.expirationHandler = {}
    }
    let task = try job.launch()
    task.progress.totalUnitCount = total
    return (job, task)
  }

  @Test func `total and completed change the fraction`() throws {
    let (_, task) = try task(10)
    task.progress.completedUnitCount = 5
    #expect(task.progress.fractionCompleted == 0.5)
    task.progress.completedUnitCount = 2
    #expect(task.progress.fractionCompleted == 0.2)
    task.progress.totalUnitCount = 5
    #expect(task.progress.fractionCompleted == 0.4)
  }

  @Test func `a child that advances is seen at once, exactly`() throws {
    let (_, task) = try task(10)
    let child = Progress(totalUnitCount: 2)
    task.progress.addChild(child, withPendingUnitCount: 1)
    child.completedUnitCount = 1
    #expect(task.progress.fractionCompleted == 0.05)
    child.completedUnitCount = 2
    #expect(task.progress.fractionCompleted == 0.1)
  }

  @Test func `children of thirds add up to the whole`() throws {
    let (_, task) = try task(3)
    let children = (0..<3).map { _ in Progress(totalUnitCount: 7) }
    for child in children { task.progress.addChild(child, withPendingUnitCount: 1) }
    children[0].completedUnitCount = 7
    #expect(task.progress.fractionCompleted == 1.0 / 3)
    children[1].completedUnitCount = 7
    #expect(task.progress.fractionCompleted == 2.0 / 3)
    children[2].completedUnitCount = 7
    #expect(task.progress.fractionCompleted == 1)
    #expect(task.progress.isFinished)
  }

  @Test func `grandchildren count, also those of groups that are only a sum`() throws {
    let (_, task) = try task(2)
    let groups = (0..<2).map { _ in Progress(totalUnitCount: 2) }
    var leaves: [Progress] = []
    for group in groups {
      task.progress.addChild(group, withPendingUnitCount: 1)
      for _ in 0..<2 {
        let leaf = Progress(totalUnitCount: 4)
        group.addChild(leaf, withPendingUnitCount: 1)
        leaves.append(leaf)
      }
    }
    leaves[0].completedUnitCount = 4
    #expect(task.progress.fractionCompleted == 0.25)
    leaves[1].completedUnitCount = 2
    #expect(task.progress.fractionCompleted == 0.375)
    for leaf in leaves { leaf.completedUnitCount = 4 }
    #expect(task.progress.fractionCompleted == 1)
    #expect(groups.allSatisfy { $0.isFinished })
  }

  @Test func `a child without a total is nothing until it has one`() throws {
    let (_, task) = try task(10)
    let child = Progress(totalUnitCount: -1)
    task.progress.addChild(child, withPendingUnitCount: 10)
    child.completedUnitCount = 5
    #expect(child.isIndeterminate)
    #expect(task.progress.fractionCompleted == 0)
    child.totalUnitCount = 10
    #expect(task.progress.fractionCompleted == 0.5)
  }

  @Test func `units of its own and children are added`() throws {
    let (_, task) = try task(10)
    let child = Progress(totalUnitCount: 2)
    task.progress.addChild(child, withPendingUnitCount: 4)
    task.progress.completedUnitCount += 3
    child.completedUnitCount = 1
    #expect(task.progress.fractionCompleted == 0.5)
  }

  @Test func `no number is made of nothing`() throws {
    let (_, task) = try task(0)
    #expect(!task.progress.fractionCompleted.isNaN)
    let child = Progress(totalUnitCount: 0)
    task.progress.addChild(child, withPendingUnitCount: 0)
    #expect(!task.progress.fractionCompleted.isNaN)
    #expect(!task.progress.isFinished)
  }

  @Test(arguments: [Int64(-1), 0])
  func `without a total it is indeterminate, as one of Foundation's is`(total: Int64) throws {
    let (_, task) = try task(total)
    let plain = Progress(totalUnitCount: total)
    #expect(task.progress.isIndeterminate == plain.isIndeterminate)
    #expect(task.progress.totalUnitCount == plain.totalUnitCount)
    #expect(task.progress.fractionCompleted == plain.fractionCompleted)
    task.progress.completedUnitCount = 3
    plain.completedUnitCount = 3
    #expect(task.progress.fractionCompleted == plain.fractionCompleted)
    #expect(task.progress.isIndeterminate == plain.isIndeterminate)
  }

  @Test func `a child that joins a cancelled one is cancelled`() throws {
    let (_, task) = try task(1)
    task.progress.cancel()
    let child = Progress(totalUnitCount: 1)
    task.progress.addChild(child, withPendingUnitCount: 1)
    #expect(child.isCancelled)
  }

  @Test func `what its author keeps in it is kept`() throws {
    let (_, task) = try task(1)
    let key = ProgressUserInfoKey("mark")
    task.progress.setUserInfoObject("here", forKey: key)
    #expect(task.progress.userInfo[key] as? String == "here")
  }
}
