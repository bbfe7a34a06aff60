internal import Foundation
internal import JobClient
internal import JobCore
internal import JobWire
internal import LinuxSystem
internal import Synchronization

/// Hosts tasks in this process: one thread listens to the runner while there are any, and reconnects by itself,
/// starting a runner if necessary.
final class Hosting: Sendable {
  private struct State {
    var book = HostedJobs()
    /// Messages for the runner.
    var outgoing: [Request] = []
    /// Wakes the listening thread; nil without one.
    var wakeup: WakeupPipe?
    weak var scheduler: BGTaskScheduler?
  }

  /// Of this scheduler in this process.
  let mark = FreshName.key()
  let environment: [String: String]
  private let handlers: HandlerTable
  private let state = Mutex(State())

  init(environment: [String: String], handlers: HandlerTable) {
    self.environment = environment
    self.handlers = handlers
  }

  func serve(_ scheduler: BGTaskScheduler) {
    state.withLock { $0.scheduler = scheduler }
  }

  /// Submits a task that runs here, and waits for the answer.
  func submit(_ request: SubmitRequest, on link: RunnerLink) throws(WireError) {
    try expectTask()
    do throws(WireError) {
      try tellCompletions(on: link)
      let (job, kept) = try link.submit(hosted: request)
      state.withLock { $0.book.answer(kept ? nil : job.number) }
    } catch {
      state.withLock { $0.book.answer(nil) }
      ring()
      throw error
    }
    ring()
  }

  /// Reports completions before other requests: the listening thread might be too late, and a task would be
  /// refused because of one that its program knows to be over.
  private func tellCompletions(on link: RunnerLink) throws(WireError) {
    let unheard = state.withLock { $0.book.unheard }
    for attempt in unheard.sorted(by: { $0.number < $1.number }) {
      let completion = Request.hostCompleted(attempt.number, attempt: attempt.attempt)
      _ = try link.ask(completion)
      heard(completion)
    }
  }

  /// Starts the listening thread for the next submission, if necessary.
  private func expectTask() throws(WireError) {
    let wakeup = try WireError.from(.internal) { () throws(SystemError) in
      try state.withLock { state throws(SystemError) -> WakeupPipe? in
        let wakeup = state.wakeup == nil ? try WakeupPipe() : nil
        state.wakeup = wakeup ?? state.wakeup
        state.book.ask()
        return wakeup
      }
    }
    guard let wakeup else { return ring() }
    let thread = Thread { RunnerThread(HostingLoop(self), wakeup).run() }
    thread.name = "jobrun host"
    thread.start()
  }

  private func ring() {
    state.withLock(\.wakeup)?.ring()
  }

  /// Whether the thread may end, because there are no hosted tasks; the next submission starts another.
  func endIfIdle() -> Bool {
    state.withLock { state in
      guard !state.book.isBusy else { return false }
      state.wakeup = nil
      state.outgoing = []
      return true
    }
  }

  /// The first messages on a new connection.
  func introduction() -> [Request] {
    state.withLock { state in
      state.outgoing = []
      return [.host(state.book.claim(mark))]
        + state.book.running.map { .hostBegan($0.number, attempt: $0.attempt) }
        + state.book.unheard.map { .hostCompleted($0.number, attempt: $0.attempt) }
    }
  }

  func removeOutgoing() -> [Request] {
    state.withLock { state in
      defer { state.outgoing = [] }
      return state.outgoing
    }
  }

  /// The runner has answered a request.
  func heard(_ request: Request) {
    guard case .hostCompleted(let number, let attempt) = request else { return }
    state.withLock { $0.book.hear(HostedJobs.Attempt(number: number, attempt: attempt)) }
  }

  func receive(_ line: HostLine) {
    switch line {
    case .launch(let launch): self.launch(launch)
    case .pause(let number): tell(.hostPaused(number, task(number)?.pause() ?? false))
    case .resume(let number): task(number)?.resume()
    case .ended(let number): state.withLock { $0.book.end(number) }
    }
  }

  private func task(_ number: JobNumber) -> BGTask? {
    state.withLock(\.scheduler)?.running.task(number)
  }

  private func launch(_ launch: HostedLaunch) {
    let attempt = HostedJobs.Attempt(number: launch.number, attempt: launch.attempt)
    let (isNew, scheduler) = state.withLock { ($0.book.begin(attempt), $0.scheduler) }
    guard isNew else { return }
    do {
      guard let scheduler else { throw JobFailure("the scheduler is gone") }
      let page = try WorkerPage(path: launch.page)
      try start(launch, page, scheduler)
    } catch {
      StandardError.say("\(launch.identifier) cannot run: \(error.sentence)")
      completed(attempt)
    }
  }

  /// Runs the handler; an attempt that is already stopped, or has no handler, only declares that.
  private func start(
    _ launch: HostedLaunch, _ page: WorkerPage, _ scheduler: BGTaskScheduler
  ) throws {
    let attempt = HostedJobs.Attempt(number: launch.number, attempt: launch.attempt)
    let registration = JobIdentifier(launch.identifier).flatMap(handlers.registration(for:))
    guard let registration, !page.isStopped else {
      let why = registration == nil ? "its handler is gone" : "it was stopped before it began"
      page.declare(.failure(message: why, exitCode: 1))
      return completed(attempt)
    }
    tell(.hostBegan(launch.number, attempt: launch.attempt))
    let task = TaskStart(
      number: launch.number, identifier: launch.identifier, kind: .continued,
      means: TaskMeans(
        gpus: launch.gpus, stateDirectory: launch.stateDirectory, attempt: launch.attempt),
      page: page, queue: registration.queue,
      scheduler: scheduler,
      whenCompleted: { _ in
        self.completed(attempt)
        page.endWaiting()
      }
    ).task()
    HostSignals.install(for: scheduler.running)
    registration.prepare(task)
    StopListener.start(page) { task.stop($0) }
    registration.launch(task)
  }

  private func completed(_ attempt: HostedJobs.Attempt) {
    state.withLock { state in
      state.book.complete(attempt)
      state.outgoing.append(.hostCompleted(attempt.number, attempt: attempt.attempt))
    }
    ring()
  }

  private func tell(_ request: Request) {
    state.withLock { $0.outgoing.append(request) }
    ring()
  }
}
