internal import JobCore

/// Where the tasks of one scheduler run, and who decides when.
///
/// There are three: a *worker*, which the runner launched for one job; a *hosted* process, whose tasks
/// the runner admits and watches; and *embedded*, without a runner. All members may be called from any
/// thread and wait for their answer.
protocol SchedulingBackend: Sendable {
  /// The scheduler whose place this is, told once; the place does not keep it alive.
  func belong(to scheduler: BGTaskScheduler)

  /// Takes a request, whose handler is registered or not; that is for the place to judge.
  func submit(_ request: RequestedTask) throws(BGTaskScheduler.Error)

  /// Withdraws the request with this identifier, if it waits; its task, if that runs, goes on.
  func cancel(_ identifier: String)

  /// Stops a task that runs, as a person does.
  func stop(_ number: JobNumber)

  /// Withdraws all requests of this program that wait; tasks that run go on.
  func cancelAll()

  /// The requests of this program that have not begun.
  var pending: [RequestedTask] { get }

  /// What this place could give a task.
  var supportedResources: BGContinuedProcessingTaskRequest.Resources { get }

  /// Whether a person lets this program have background work.
  var mayRefresh: Bool { get }

  /// This program's tasks, those that have ended included, in order of acceptance.
  var records: [BGTaskRecord] { get }

  /// Waits until the records meet a condition.
  func wait(until condition: @escaping @Sendable ([BGTaskRecord]) -> Bool) async

  /// Answers whether a stalled task is to continue; false when nothing is asked.
  func answer(_ identifier: String, continues: Bool) -> Bool

  /// Brings about what otherwise only time does; throws when it cannot be.
  func simulate(_ simulation: SimulatedEvent, _ identifier: String) throws(BGTaskScheduler.Error)
}

/// What may be brought about on purpose, to see what a task does about it.
enum SimulatedEvent: String, Hashable, Sendable, CaseIterable {
  case launch, expire, stall
}

// What a place may leave out.
extension SchedulingBackend {
  func belong(to scheduler: BGTaskScheduler) {}

  var records: [BGTaskRecord] { [] }

  var mayRefresh: Bool { true }

  func answer(_ identifier: String, continues: Bool) -> Bool { false }

  func simulate(_ simulation: SimulatedEvent, _ identifier: String) throws(BGTaskScheduler.Error) {
    throw BGTaskScheduler.Error(
      .unavailable, "\(identifier) cannot be simulated here; use jobrun simulate")
  }
}
