internal import JobCore

/// The backend of one scheduler, which runs its tasks and decides when.
///
/// There are three: a *worker*, which the runner launched for one job; a *hosted* process, whose tasks the
/// runner admits and watches; and *embedded*, without a runner. All members may be called from any thread and
/// block until they are answered.
protocol SchedulingBackend: Sendable {
  /// Sets the backend's scheduler, once; the reference is weak.
  func belong(to scheduler: BGTaskScheduler)

  /// Takes a request, whose handler is registered or not; that is for the place to judge.
  func submit(_ request: RequestedTask) throws(BGTaskScheduler.Error)

  /// Withdraws the request with this identifier, if it waits; a running task continues.
  func cancel(_ identifier: String)

  /// Stops a task that runs, as a person does.
  func stop(_ number: JobNumber)

  /// Withdraws all waiting requests of this program; running tasks continue.
  func cancelAll()

  /// The requests of this program that have not begun.
  var pending: [RequestedTask] { get }

  /// The resources that this backend can provide.
  var supportedResources: BGContinuedProcessingTaskRequest.Resources { get }

  /// Whether the settings allow background work of this program.
  var mayRefresh: Bool { get }

  /// This program's tasks, including ended ones, in order of acceptance.
  var records: [BGTaskRecord] { get }

  /// Waits until the records meet a condition.
  func wait(until condition: @escaping @Sendable ([BGTaskRecord]) -> Bool) async

  /// Answers whether a stalled task should continue; false without an open question.
  func answer(_ identifier: String, continues: Bool) -> Bool

  /// Makes this program one that pushes start; returns what they are addressed to. Throws why they cannot reach it.
  func registerForPushes() throws(BGTaskScheduler.Error) -> String

  /// Causes an event that is otherwise a matter of time; throws if that is impossible.
  func simulate(_ simulation: SimulatedEvent, _ identifier: String) throws(BGTaskScheduler.Error)
}

/// An event that can be simulated, to test a task's reaction.
enum SimulatedEvent: String, Hashable, Sendable, CaseIterable {
  case launch, expire, stall
}

// Optional members of a backend.
extension SchedulingBackend {
  func belong(to scheduler: BGTaskScheduler) {}

  var records: [BGTaskRecord] { [] }

  var mayRefresh: Bool { true }

  func answer(_ identifier: String, continues: Bool) -> Bool { false }

  func registerForPushes() throws(BGTaskScheduler.Error) -> String {
    throw BGTaskScheduler.Error(.unavailable, "there is no runner here, which pushes need")
  }

  func simulate(_ simulation: SimulatedEvent, _ identifier: String) throws(BGTaskScheduler.Error) {
    throw BGTaskScheduler.Error(
      .unavailable, "\(identifier) cannot be simulated here; use jobrun simulate")
  }
}
