/// What has happened to one task, and what follows from it: a value without locks or queues.
struct TaskLife {
  /// A closure of the author's; `BGTask` says why it may travel.
  struct Action: @unchecked Sendable {
    var run: () -> Void
  }

  /// What is awaited between a stop and the end.
  typealias CleanUp = @Sendable (BGTask.StopReason) async -> Void

  /// A stop that was asked for.
  struct Stop: Hashable, Sendable {
    var reason: BGTask.StopReason
    /// CLOCK_MONOTONIC nanoseconds at which the job's processes are killed; 0 = not known.
    var deadlineNanoseconds: UInt64
  }

  /// What the task must do now, in this order.
  enum Step: Sendable {
    /// Cancel what is not the author's: the progress.
    case cancelProgress
    /// Cancel the author's Swift task.
    case cancelWork(Action)
    /// Call the expiration handler, this once.
    case expire(Action)
    /// Run these one after the other; `completes`: nobody else listens, so that the task is complete
    /// and unsuccessful after them.
    case cleanUp([CleanUp], Stop, completes: Bool)
    /// Nobody listens: the task is complete and unsuccessful, as Apple has it.
    case completeUnsuccessfully
  }

  private(set) var expirationHandler: Action?
  private(set) var stop: Stop?
  private(set) var isCompleted = false
  private var cancelWork: Action?
  private var cleanUps: [CleanUp] = []
  private var expectsCancelWork = false

  /// A Swift task will follow, and is what a stop ends: a stop that is earlier waits for it.
  mutating func expectCancelWork() {
    expectsCancelWork = true
  }

  /// The first stop counts; later ones and those after the end change nothing.
  mutating func stop(_ stop: Stop) -> [Step] {
    guard self.stop == nil, !isCompleted else { return [] }
    self.stop = stop
    let listeners =
      [cancelWork.map(Step.cancelWork), expirationHandler.map(Step.expire)].compactMap(\.self)
    expirationHandler = nil
    let isHeard = !listeners.isEmpty || expectsCancelWork
    let cleaning = cleanUps
    cleanUps = []
    if !cleaning.isEmpty {
      return [.cancelProgress, .cleanUp(cleaning, stop, completes: !isHeard)] + listeners
    }
    return [.cancelProgress] + listeners + (isHeard ? [] : [.completeUnsuccessfully])
  }

  /// What comes after the stop is run at once: what it tidies up is there all the same.
  mutating func addCleanUp(_ body: @escaping CleanUp) -> [Step] {
    if let stop { return [.cleanUp([body], stop, completes: false)] }
    if !isCompleted { cleanUps.append(body) }
    return []
  }

  /// A handler that comes after the stop is called at once, even if for want of one the task is
  /// complete already: what it tidies up is there all the same.
  mutating func setExpirationHandler(_ handler: Action?) -> [Step] {
    if stop != nil, let handler { return [.expire(handler)] }
    if !isCompleted { expirationHandler = handler }
    return []
  }

  /// The work is a Swift task, which a stop cancels.
  mutating func setCancelWork(_ action: Action) -> [Step] {
    guard stop == nil else { return [.cancelWork(action)] }
    if !isCompleted { cancelWork = action }
    return []
  }

  /// False when the task had ended before.
  mutating func complete() -> Bool {
    guard !isCompleted else { return false }
    isCompleted = true
    expirationHandler = nil
    cancelWork = nil
    cleanUps = []
    return true
  }
}
