internal import Dispatch
public import Foundation
internal import JobCore
internal import Synchronization

/// A task that runs in this process, as its launch handler gets it; after Apple's class of this name.
///
/// Its members may be used from any thread. Sendable by hand: all that changes is behind `life`.
public class BGTask: NSObject, ProgressReporting, @unchecked Sendable {
  /// The task's whole identifier, such as `io.jobrun.samples.export.k3f9`.
  public let identifier: String

  let number: JobNumber?
  let page: WorkerPage
  final let counts: TaskProgress
  /// What `BGTaskScheduler.shared` is in the task's handlers.
  let scheduler: BGTaskScheduler
  private let life = Mutex(TaskLife())
  private let sentence = Mutex("")
  let queue: DispatchQueue
  /// Whether the launch handler still occupies `queue`, so that a serial queue would come too late.
  private let handlerRuns = Atomic<Bool>(true)
  private let means: TaskMeans
  private let whenCompleted: @Sendable (Int32) -> Void

  init(_ start: TaskStart) {
    number = start.number
    identifier = start.identifier
    page = start.page
    counts = TaskProgress(page: start.page)
    means = start.means
    queue = start.queue
    scheduler = start.scheduler
    whenCompleted = start.whenCompleted
  }

  /// How far the work is, in units of the author's choice.
  ///
  /// Set `totalUnitCount` (0 = not known yet) and add to `completedUnitCount`, from any thread, or
  /// attach children: their composed fraction is published ten times a second. A kind of `.file`
  /// makes the units bytes. `isCancelled` turns true when the job has been told to stop. Without children
  /// `fractionCompleted` follows in steps of a thousandth. Continued processing must report; for
  /// scheduled tasks it is only shown. `jobrun pause` stops the processes of a job that the runner has
  /// launched; one in a process of its own is paused through `pausingHandler` and `resumingHandler`, if
  /// `isPausable` says that it can be, and resumed before it is stopped.
  public final var progress: Progress {
    counts.refresh()
    return counts
  }

  /// The GPUs that it has for itself, by UUID; give them to what it spawns as `CUDA_VISIBLE_DEVICES`.
  public final var gpus: [String] { means.gpus }

  /// The folder that it keeps from one attempt to the next; it is removed once the job has ended.
  public final var stateDirectory: URL? { means.stateDirectory }

  /// Which attempt at the job this is, from 1.
  public final var attempt: Int { means.attempt }

  /// Called once when the task is told to stop: finish quickly and call `setTaskCompleted`.
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

  /// Why the task was told to stop; nil as long as it may run.
  public var stopReason: StopReason? { life.withLock { $0.stop }?.reason }

  /// The time until the task's processes are killed, never negative; nil as long as it may run.
  public var timeRemaining: Duration? {
    guard let stop = life.withLock({ $0.stop }) else { return nil }
    let now = page.clock.nanoseconds
    let left = stop.deadlineNanoseconds > now ? stop.deadlineNanoseconds - now : 0
    return .nanoseconds(Int64(clamping: left))
  }

  /// Says that the work is done, successfully or not; a process that runs only this task then ends.
  ///
  /// Only the first call counts, later ones are noted in the log. After a stop a success counts only
  /// when the progress has reached its total.
  public func setTaskCompleted(success: Bool) {
    finish(
      success ? .success(message: message) : .failure(message: messageOfEnd, exitCode: 1))
  }

  /// What is known of an end without success: the reason that only this process knows, where nothing was said.
  private var messageOfEnd: String {
    message.isEmpty && stopReason == .signal ? StopReason.signal.description : message
  }

  /// One sentence that people see beside the outcome, such as how much was done.
  ///
  /// It is shown once the task is completed, at most 253 bytes of it.
  public var message: String {
    get { sentence.withLock(\.self) }
    set { sentence.withLock { $0 = newValue } }
  }

  /// Stops this task, as `jobrun cancel` does: it is told so with the reason `user`, and has its grace.
  ///
  /// Withdrawing a request, `BGTaskScheduler.cancel(taskRequestWithIdentifier:)`, stops nothing that
  /// runs.
  public func cancel() {
    guard let number else { return stop(TaskLife.Stop(reason: .user, deadlineNanoseconds: 0)) }
    scheduler.place.stop(number)
  }

  var isCompleted: Bool { life.withLock(\.isCompleted) }

  func finish(_ ending: TaskEnding) {
    guard life.withLock({ $0.complete() }) else {
      return StandardError.say("\(identifier) was already completed; the second call is ignored")
    }
    counts.finish()
    page.declare(ending)
    scheduler.holds.whenReleased(by: ObjectIdentifier(self)) { [whenCompleted] in
      whenCompleted(ending.exitCode)
      self.scheduler.running.remove(self)
    }
  }

  func stop(_ stop: TaskLife.Stop) {
    // First: an end that the stop brings about must know how long it may wait for what is held.
    scheduler.holds.stop(ObjectIdentifier(self), by: stop.deadlineNanoseconds)
    perform(life.withLock { $0.stop(stop) })
    // A paused task could not end itself.
    resume()
  }

  /// A pause was requested: only the author knows whether the task can pause.
  ///
  /// - Returns: Whether it is paused.
  func pause() -> Bool {
    guard counts.isPausable, !counts.isFinished else { return false }
    if !counts.isPaused { counts.pause() }
    return true
  }

  func resume() {
    if counts.isPaused { counts.resume() }
  }

  func addCleanUp(_ body: @escaping TaskLife.CleanUp) {
    perform(life.withLock { $0.addCleanUp(body) })
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
      case .cancelProgress: counts.cancel()
      case .cancelWork(let action): action.run()
      case .expire(let action):
        let place = handlerRuns.load(ordering: .acquiring) ? DispatchQueue.expiration : queue
        place.async { self.around { action.run() } }
      case .cleanUp(let bodies, let stop, let completes):
        cleanUp(bodies, stop.reason, completes: completes)
      case .completeUnsuccessfully: completeUnsuccessfully()
      }
    }
  }

  /// Runs what was given for the stop; the end of the task waits for it as for anything that is held.
  private func cleanUp(_ bodies: [TaskLife.CleanUp], _ reason: StopReason, completes: Bool) {
    let holds = scheduler.holds
    let hold = holds.begin("the clean-up of \(identifier)", for: ObjectIdentifier(self))
    around {
      _ = Task {
        for body in bodies { await body(reason) }
        if completes, !self.isCompleted { self.completeUnsuccessfully() }
        if let hold { holds.end(hold) }
      }
    }
  }

  private func completeUnsuccessfully() {
    finish(.failure(message: messageOfEnd, exitCode: 1))
  }
}
