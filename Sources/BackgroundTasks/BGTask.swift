internal import Dispatch
public import Foundation
internal import LinuxSystem
internal import Synchronization

/// A job that runs in this process, as its launch handler gets it; after Apple's class of this name.
///
/// Its members may be used from any thread. Sendable by hand: all that changes is behind `life`.
public class BGTask: NSObject, @unchecked Sendable {
  /// The job's whole identifier, such as `io.jobrun.samples.export.k3f9`.
  public let identifier: String

  let page: WorkerPage
  private let life = Mutex(TaskLife())
  private let sentence = Mutex("")
  private let queue: DispatchQueue
  /// Whether the launch handler still occupies `queue`, so that a serial queue would come too late.
  private let handlerRuns = Atomic<Bool>(true)
  private let whenCompleted: @Sendable (Int32) -> Void

  /// A task for `identifier`; `whenCompleted` gets the exit code, once.
  init(
    identifier: String, page: WorkerPage, queue: DispatchQueue,
    whenCompleted: @escaping @Sendable (Int32) -> Void
  ) {
    self.identifier = identifier
    self.page = page
    self.queue = queue
    self.whenCompleted = whenCompleted
  }

  /// Called once when the job is told to stop: finish quickly and call `setTaskCompleted`.
  ///
  /// It runs on the queue of the registration, or beside it while the launch handler has not
  /// returned. A handler set after the stop is called at once. Without one (and without an `async`
  /// handler, which is cancelled) the task ends as unsuccessful. `stopReason` says why it stops,
  /// `timeRemaining` how long it may take.
  public var expirationHandler: (() -> Void)? {
    get { life.withLock { $0.expirationHandler }?.run }
    set {
      // The author's closure is called once, on one thread; what it shares is the author's affair.
      let action = newValue.map(TaskLife.Action.init(run:))
      perform(life.withLock { $0.setExpirationHandler(action) })
    }
  }

  /// Why the job was told to stop; nil as long as it may run.
  public var stopReason: StopReason? { life.withLock { $0.stop }?.reason }

  /// The time until the job's processes are killed, never negative; nil as long as it may run.
  public var timeRemaining: Duration? {
    guard let stop = life.withLock({ $0.stop }) else { return nil }
    let now = AwakeClock.now()
    let left = stop.deadlineNanoseconds > now ? stop.deadlineNanoseconds - now : 0
    return .nanoseconds(Int64(clamping: left))
  }

  /// Says that the work is done, successfully or not; the process then ends.
  ///
  /// Only the first call counts, later ones are noted in the log. After a stop a success counts only
  /// when the progress has reached its total.
  public func setTaskCompleted(success: Bool) {
    finish(
      success ? .success(message: message) : .failure(message: message, exitCode: 1))
  }

  /// One sentence that people see beside the outcome, such as how much was done.
  ///
  /// It is shown once the task is completed, at most 253 bytes of it.
  public var message: String {
    get { sentence.withLock(\.self) }
    set { sentence.withLock { $0 = newValue } }
  }

  /// The last publication of subclasses, before the outcome is declared.
  func willComplete() {}

  /// A stop was seen by this process.
  func didStop() {}

  func finish(_ ending: TaskEnding) {
    guard life.withLock({ $0.complete() }) else {
      return StandardError.say("\(identifier) was completed already; the second call is ignored")
    }
    willComplete()
    page.declare(ending)
    whenCompleted(ending.exitCode)
  }

  func stop(_ stop: TaskLife.Stop) {
    perform(life.withLock { $0.stop(stop) })
  }

  func launchHandlerReturned() {
    handlerRuns.store(false, ordering: .releasing)
  }

  func expectCancelWork() {
    life.withLock { $0.expectCancelWork() }
  }

  func setCancelWork(_ body: @escaping @Sendable () -> Void) {
    perform(life.withLock { $0.setCancelWork(TaskLife.Action(run: body)) })
  }

  private func perform(_ steps: [TaskLife.Step]) {
    for step in steps {
      switch step {
      case .cancelProgress: didStop()
      case .cancelWork(let action): action.run()
      case .expire(let action):
        let place = handlerRuns.load(ordering: .acquiring) ? DispatchQueue.global() : queue
        place.async { action.run() }
      case .completeUnsuccessfully: finish(.failure(message: message, exitCode: 1))
      }
    }
  }
}
