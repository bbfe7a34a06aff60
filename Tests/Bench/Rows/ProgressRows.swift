import BackgroundTasks
import Foundation
import Glibc
import LinuxSystem
import Synchronization

/// The cost of one progress report, and whether any is lost.
enum ProgressRows {
  private static let reports = 500_000
  private static let threads = 4

  static func measure(rounds: Int) throws -> [Row] {
    let scheduler = BGTaskScheduler.embedded()
    let task = try launchedTask(of: scheduler)
    defer { task.setTaskCompleted(success: true) }
    var turns = Alternation()
    addOurs(to: &turns, task)
    addReferences(to: &turns)
    turns.add("lost") { lost(of: task.progress) }
    turns.add("Foundation lost") { lost(of: Progress(totalUnitCount: .max)) }
    let series = try turns.run(rounds: rounds)
    func row(
      _ name: String, _ key: String, beside reference: String, _ unit: Row.Unit, most: Double
    ) -> Row {
      Row(
        name: name, unit: unit, ours: series[key] ?? Series(),
        reference: Row.Reference(name: reference, series: series[reference] ?? Series()),
        budget: .atMost(most))
    }
    return [
      row("completedUnitCount += 1", "progress", beside: "Foundation", .nanoseconds, most: 20),
      row("advance(by: 1)", "advance", beside: "lock add", .nanoseconds, most: 10),
      row("single-writer reporter", "reporter", beside: "store", .nanoseconds, most: 1.5),
      row("units lost by 4 threads", "lost", beside: "Foundation lost", .count, most: 0),
    ]
  }

  private static func launchedTask(of scheduler: BGTaskScheduler) throws -> BGTask {
    let handed = Mutex<BGTask?>(nil)
    let isLaunched = DispatchSemaphore(value: 0)
    scheduler.register(forTaskWithIdentifier: "io.jobrun.bench", using: nil) { task in
      task.expirationHandler = {}
      handed.withLock { $0 = task }
      isLaunched.signal()
    }
    try scheduler.submit(
      BGContinuedProcessingTaskRequest(identifier: "io.jobrun.bench", title: "", subtitle: ""))
    isLaunched.wait()
    guard let task = handed.withLock(\.self) else { throw Fault("no task was launched") }
    return task
  }

  private static func addOurs(to turns: inout Alternation, _ task: BGTask) {
    task.progress.totalUnitCount = .max
    turns.add("progress") {
      nanoseconds { for _ in 0..<reports { task.progress.completedUnitCount += 1 } }
    }
    turns.add("advance") { nanoseconds { for _ in 0..<reports { task.advance(by: 1) } } }
    turns.add("reporter") {
      guard var reporter = task.makeReporter() else { throw Fault("somebody else reports") }
      let start = ThreadClock.nanoseconds()
      for _ in 0..<reports { reporter.advance(by: 1) }
      return Double(ThreadClock.nanoseconds() - start) / Double(reports)
    }
  }

  private static func addReferences(to turns: inout Alternation) {
    let plain = Progress(totalUnitCount: .max)
    turns.add("Foundation") {
      nanoseconds { for _ in 0..<reports { plain.completedUnitCount += 1 } }
    }
    let word = Word()
    turns.add("lock add") {
      nanoseconds {
        for _ in 0..<reports { word.value.wrappingAdd(1, ordering: .relaxed) }
      }
    }
    turns.add("store") {
      nanoseconds {
        for number in 0..<reports { word.value.store(UInt64(number), ordering: .relaxed) }
      }
    }
  }

  /// An atomic word that closures may share.
  private final class Word: Sendable {
    let value = Atomic<UInt64>(0)
  }

  /// For each report.
  private static func nanoseconds(_ body: () -> Void) -> Double {
    let start = ThreadClock.nanoseconds()
    body()
    return Double(ThreadClock.nanoseconds() - start) / Double(reports)
  }

  /// How many of the units that several threads count at once are missing.
  private static func lost(of progress: Progress) -> Double {
    let before = progress.completedUnitCount
    let each = reports
    DispatchQueue.concurrentPerform(iterations: threads) { _ in
      for _ in 0..<each { progress.completedUnitCount += 1 }
    }
    return Double(before + Int64(each * threads) - progress.completedUnitCount)
  }
}
