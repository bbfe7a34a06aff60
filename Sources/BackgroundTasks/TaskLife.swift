/// What has happened to one task, and what follows from it: a value without locks or queues.
struct TaskLife {
  /// A closure of the author's; `BGTask` says why it may travel.
  struct Action: @unchecked Sendable {
    var run: () -> Void
  }

  /// A stop that was asked for.
  struct Stop: Hashable, Sendable {
    var reason: BGTask.StopReason
    /// CLOCK_MONOTONIC nanoseconds at which the job's processes are killed; 0 = not known.
    var deadlineNanoseconds: UInt64
  }

  /// What the task must do now, in this order.
  enum Step: Sendable {
    /// Cancel the author's Swift task.
    case cancelWork(Action)
    /// Call the expiration handler, this once.
    case expire(Action)
    /// Nobody listens: the task is complete and unsuccessful, as Apple has it.
    case completeUnsuccessfully
  }

  private(set) var expirationHandler: Action?
  private(set) var stop: Stop?
  private(set) var isCompleted = false
  private var cancelWork: Action?

  /// The first stop counts; later ones and those after the end change nothing.
  mutating func stop(_ stop: Stop) -> [Step] {
    guard self.stop == nil, !isCompleted else { return [] }
    self.stop = stop
    let steps =
      [cancelWork.map(Step.cancelWork), expirationHandler.map(Step.expire)].compactMap(\.self)
    expirationHandler = nil
    return steps.isEmpty ? [.completeUnsuccessfully] : steps
  }

  /// A handler that comes after the stop is called at once.
  mutating func setExpirationHandler(_ handler: Action?) -> [Step] {
    guard !isCompleted else { return [] }
    guard stop != nil, let handler else {
      expirationHandler = handler
      return []
    }
    return [.expire(handler)]
  }

  /// The work is a Swift task, which a stop cancels.
  mutating func setCancelWork(_ action: Action) -> [Step] {
    cancelWork = action
    return stop == nil || isCompleted ? [] : [.cancelWork(action)]
  }

  /// False when the task had ended before.
  mutating func complete() -> Bool {
    guard !isCompleted else { return false }
    isCompleted = true
    expirationHandler = nil
    cancelWork = nil
    return true
  }
}
