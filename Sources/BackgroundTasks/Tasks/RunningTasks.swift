internal import JobCore
internal import Synchronization

/// The tasks of one scheduler that run in this process.
final class RunningTasks: Sendable {
  private struct Entry {
    /// Weak: a task whose handler has forgotten it never ends.
    weak var task: BGTask?
    var whenEnded: (@Sendable () -> Void)?
  }

  private let entries = Mutex<[ObjectIdentifier: Entry]>([:])
  private let whenDone = Mutex<(@Sendable () -> Void)?>(nil)

  /// Tasks that a person has started.
  var continuedCount: Int {
    entries.withLock { $0.values.count { $0.task is BGContinuedProcessingTask } }
  }

  /// Calls `body` once, when none of these is left.
  func whenNoneContinued(_ body: @escaping @Sendable () -> Void) {
    whenDone.withLock { $0 = body }
    tellIfDone()
  }

  private func tellIfDone() {
    guard continuedCount == 0 else { return }
    let body = whenDone.withLock { body in
      defer { body = nil }
      return body
    }
    body?()
  }

  func add(_ task: BGTask) {
    entries.withLock { entries in
      entries = entries.filter { $0.value.task != nil }
      entries[ObjectIdentifier(task)] = Entry(task: task)
    }
  }

  func remove(_ task: BGTask) {
    entries.withLock { $0.removeValue(forKey: ObjectIdentifier(task)) }?.whenEnded?()
    tellIfDone()
  }

  /// That of a job; nil when its handler has forgotten it.
  func task(_ number: JobNumber) -> BGTask? {
    entries.withLock { $0.values.lazy.compactMap(\.task).first { $0.number == number } }
  }

  /// Tells them all to stop; `expecting` returns for each the closure to call at its end.
  func stop(_ stop: TaskLife.Stop, expecting: (BGTask) -> @Sendable () -> Void) {
    let tasks = entries.withLock { $0.values.compactMap(\.task) }
    for task in tasks {
      let whenEnded = expecting(task)
      let isThere = entries.withLock { entries in
        entries[ObjectIdentifier(task)]?.whenEnded = whenEnded
        return entries[ObjectIdentifier(task)] != nil
      }
      if isThere { task.stop(stop) } else { whenEnded() }
    }
  }
}
