/// Where the tasks of one scheduler run, and who decides when.
///
/// There are three: a *worker*, which the runner launched for one job; a *hosted* process, whose tasks
/// the runner admits and watches; and *embedded*, without a runner. All members may be called from any
/// thread and wait for their answer.
protocol SchedulingPlace: Sendable {
  /// Takes a request, whose handler is registered or not; that is for the place to judge.
  func submit(_ request: RequestedTask) throws(BGTaskScheduler.Error)

  /// Withdraws the request with this identifier, if it waits; if its task runs, that is stopped.
  func cancel(_ identifier: String)

  /// Withdraws all requests of this program that wait; tasks that run go on.
  func cancelAll()

  /// The requests of this program that have not begun.
  var pending: [RequestedTask] { get }

  /// What this place could give a task.
  var supportedResources: BGContinuedProcessingTaskRequest.Resources { get }
}
