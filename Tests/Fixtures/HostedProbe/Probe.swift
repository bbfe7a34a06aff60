import BackgroundTasks
import Foundation
import Synchronization

/// Hosts tasks under one prefix and keeps each until it gets a command for it.
final class Probe: Sendable {
  private struct State {
    var tasks: [String: BGContinuedProcessingTask] = [:]
    /// Tasks that take no notice of a stop.
    var stubborn: Set<String> = []
    var pausable: Set<String> = []
    var hold = UIBackgroundTaskIdentifier.invalid
  }

  private let prefix: String
  private let state = Mutex(State())

  init(prefix: String) {
    self.prefix = prefix
    BGTaskScheduler.shared.register(forTaskWithIdentifier: prefix + ".*", using: nil) { task in
      if let task = task as? BGContinuedProcessingTask { self.begin(task) }
    }
  }

  static func tell(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
  }

  private func begin(_ task: BGContinuedProcessingTask) {
    let (isStubborn, isPausable) = state.withLock { state in
      state.tasks[task.identifier] = task
      return (
        state.stubborn.contains(task.identifier), state.pausable.contains(task.identifier)
      )
    }
    let identifier = task.identifier
    task.progress.isPausable = isPausable
    task.progress.pausingHandler = { Probe.tell("pauses \(identifier)") }
    task.progress.resumingHandler = { Probe.tell("goes on with \(identifier)") }
    task.progress.totalUnitCount = 10
    task.progress.completedUnitCount = 4
    task.expirationHandler = { [weak task] in
      guard let task else { return }
      Probe.tell("expired \(task.identifier) \(task.stopReason?.rawValue ?? "")")
      if !isStubborn { task.setTaskCompleted(success: false) }
    }
    Probe.tell("began \(task.identifier)")
  }

  func obey(_ words: [String]) {
    let identifier = words.count > 1 ? "\(prefix).\(words[1])" : ""
    switch words.first {
    case "submit": submit(identifier, Set(words.dropFirst(2)))
    case "schedule": schedule(identifier)
    case "finish": finish(identifier)
    case "advance": state.withLock { $0.tasks[identifier] }?.advance(by: 1)
    case "cancel": BGTaskScheduler.shared.cancel(taskRequestWithIdentifier: identifier)
    case "stop": state.withLock { $0.tasks[identifier] }?.cancel()
    case "hold":
      let hold = BGTaskScheduler.shared.beginBackgroundTask(withName: "save")
      state.withLock { $0.hold = hold }
      Probe.tell("held")
    case "letGo":
      BGTaskScheduler.shared.endBackgroundTask(state.withLock { $0.hold })
      Probe.tell("let go")
    case "cancelAll": BGTaskScheduler.shared.cancelAllTaskRequests()
    case "pending":
      BGTaskScheduler.shared.getPendingTaskRequests { requests in
        Probe.tell("pending \(requests.map(\.identifier).sorted().joined(separator: " "));")
      }
    case "status":
      // Commands are read on the main thread.
      MainActor.assumeIsolated {
        Probe.tell("status \(UIApplication.shared.backgroundRefreshStatus)")
      }
    case "exit": exit(3)
    default: Probe.tell("unknown \(words)")
    }
  }

  private func submit(_ identifier: String, _ options: Set<String>) {
    let request = BGContinuedProcessingTaskRequest(
      identifier: identifier, title: "Probe", subtitle: "hosted")
    if options.contains("fail") { request.strategy = .fail }
    if options.contains("gpu") { request.requiredResources = .gpu }
    if options.contains("stubborn") {
      state.withLock { _ = $0.stubborn.insert(identifier) }
    }
    if options.contains("pausable") {
      state.withLock { _ = $0.pausable.insert(identifier) }
    }
    do {
      try BGTaskScheduler.shared.submit(request)
      Probe.tell("submitted \(identifier)")
    } catch {
      let code = (error as? BGTaskScheduler.Error)?.code
      Probe.tell("refused \(identifier) \(code.map { "\($0)" } ?? "?"): \(error)")
    }
  }

  /// A task that the runner launches, from the bundle's definition.
  private func schedule(_ identifier: String) {
    let request = BGProcessingTaskRequest(identifier: identifier)
    request.earliestBeginDate = Date(timeIntervalSinceNow: -1)
    do {
      try BGTaskScheduler.shared.submit(request)
      Probe.tell("scheduled \(identifier)")
    } catch {
      Probe.tell("refused \(identifier): \(error)")
    }
  }

  private func finish(_ identifier: String) {
    guard let task = state.withLock({ $0.tasks.removeValue(forKey: identifier) }) else {
      return Probe.tell("no task \(identifier)")
    }
    task.message = "all ten of them"
    task.progress.completedUnitCount = 10
    task.setTaskCompleted(success: true)
    Probe.tell("finished \(identifier)")
  }
}
