/// The place of a process that nobody runs tasks for: everything is refused with a sentence.
struct AbsentPlace: SchedulingPlace {
  let sentence: String

  func submit(_ request: RequestedTask) throws(BGTaskScheduler.Error) {
    throw BGTaskScheduler.Error(.unavailable, sentence)
  }

  func cancel(_ identifier: String) {}

  func cancelAll() {}

  var pending: [RequestedTask] { [] }

  var supportedResources: BGContinuedProcessingTaskRequest.Resources { [] }
}
