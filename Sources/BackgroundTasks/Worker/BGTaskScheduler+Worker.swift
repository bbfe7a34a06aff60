public import Foundation
internal import JobCore
internal import JobPage

extension BGTaskScheduler {
  /// Whether the runner launched this process to run a job.
  public var isWorker: Bool { (try? WorkerLaunch(environment: environment)) != nil }

  /// The identifier of the push that the runner launched this process for; nil when it is another job, or
  /// none.
  var launchedPush: String? {
    guard let launch = try? WorkerLaunch(environment: environment), launch.kind == .push else {
      return nil
    }
    return launch.identifier
  }

  /// The folder that the job keeps from one attempt to the next; nil outside a job.
  public var stateDirectory: URL? {
    environment["JOBRUN_STATE_DIR"].map { URL(fileURLWithPath: $0, isDirectory: true) }
  }

  /// Which attempt at the job this is, from 1; nil outside a job.
  public var attempt: Int? { environment["JOBRUN_ATTEMPT"].flatMap(Int.init) }

  /// Runs the job that this process was launched for and ends the process with it; the last line of
  /// a job's `main`.
  ///
  /// The main queue and the main actor continue to work meanwhile. Calls of a handler in Apple's form right
  /// after `setTaskCompleted`, such as a submission, are finished. The exit code is 0 after success, 1 after
  /// failure (or that of a `JobFailure`), 75 for a deferral. A process that was not launched by the runner ends
  /// with 64 and a message. The first SIGTERM, SIGINT or SIGHUP stops the task. Call it on the main thread.
  public func runUntilComplete() -> Never {
    do throws(WorkerError) {
      try launch(
        waitsForRest: true, prepare: { task in SignalStop.stopOnce { task.stop($0) } },
        whenDone: { exit($0) })
    } catch {
      StandardError.say(error.description)
      exit(error.exitCode)
    }
    while true { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
  }

  /// Starts the job that this process was launched for.
  ///
  /// - Parameters:
  ///   - waitsForRest: whether `whenDone` waits for what the process does after the completion.
  ///   - prepare: gets the task before its handler does.
  ///   - whenDone: gets the exit code, once the task is completed and the handler returned.
  /// - Returns: the task that the handler got.
  /// - Throws: what keeps this process from working as a job.
  @discardableResult
  package func launch(
    waitsForRest: Bool = false, prepare: (BGTask) -> Void = { _ in },
    whenDone: @escaping @Sendable (Int32) -> Void
  ) throws(WorkerError) -> BGTask {
    let launch = try WorkerLaunch(environment: environment)
    let page: WorkerPage
    do {
      page = try WorkerPage(path: launch.pagePath)
    } catch {
      throw .noPage(reason: error.description)
    }
    let registration =
      launch.session.map { sessionEvents.registration(for: $0.identifier, lock: $0.lock) }
      ?? JobIdentifier(launch.identifier).flatMap(handlers.registration(for:))
    guard let registration else {
      let obstacle = WorkerError.noHandler(
        identifier: launch.identifier, known: handlers.patterns)
      page.declare(.failure(message: obstacle.description, exitCode: obstacle.exitCode))
      throw obstacle
    }
    let rest = waitsForRest && registration.completesItself ? ProcessRest(calls: calls) : nil
    let completion = WorkerCompletion(rest: rest, whenDone)
    let task = TaskStart(
      number: launch.number, identifier: launch.identifier, kind: launch.kind,
      isHealthResearch: launch.isHealthResearch, means: TaskMeans(environment), page: page,
      queue: registration.queue, scheduler: self, whenCompleted: completion.completed(code:)
    ).task()
    registration.prepare(task)
    prepare(task)
    StopListener.start(page) { task.stop($0) }
    registration.launch(task, whenReturned: completion.handlerReturned)
    return task
  }
}
