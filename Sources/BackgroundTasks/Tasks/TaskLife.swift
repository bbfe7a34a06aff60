/// The events of one task, and their consequences: a value without locks or queues.
struct TaskLife {
  /// A closure of the author's; see `BGTask` for why it may cross threads.
  struct Action: @unchecked Sendable {
    var run: () -> Void
  }

  /// Clean-up between a stop and the end.
  typealias CleanUp = @Sendable (BGTask.StopReason) async -> Void

  /// A stop that was asked for.
  struct Stop: Hashable, Sendable {
    var reason: BGTask.StopReason
    /// CLOCK_MONOTONIC nanoseconds at which the job's processes are killed; 0 = not known.
    var deadlineNanoseconds: UInt64
  }

  /// An action of the task, in this order.
  enum Step: Sendable {
    /// Cancel the progress, which is not the author's.
    case cancelProgress
    /// Cancel the author's Swift task.
    case cancelWork(Action)
    /// Call the expiration handler, this once.
    case expire(Action)
    /// Run these one after the other; `completes`: there is no other handler, so that the task is complete and
    /// unsuccessful after them.
    case cleanUp([CleanUp], Stop, completes: Bool)
    /// There is no handler: the task is complete and unsuccessful, as in Apple's API.
    case completeUnsuccessfully
  }

  private(set) var expirationHandler: Action?
  private(set) var stop: Stop?
  private(set) var isCompleted = false
  private var cancelWork: Action?
  private var cleanUps: [CleanUp] = []
  private var expectsCancelWork = false

  /// A Swift task will follow that a stop should cancel: an earlier stop waits for it.
  mutating func expectCancelWork() {
    expectsCancelWork = true
  }

  /// The first stop counts; later ones and those after the end have no effect.
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

  /// Clean-up that is added after the stop is run at once, because its work is still necessary.
  mutating func addCleanUp(_ body: @escaping CleanUp) -> [Step] {
    if let stop { return [.cleanUp([body], stop, completes: false)] }
    if !isCompleted { cleanUps.append(body) }
    return []
  }

  /// A handler that is set after the stop is called at once, because its work is still necessary, even if the
  /// task was already completed for lack of a handler.
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
