extension BGTaskScheduler {
  /// Who runs the tasks of a process with this environment.
  static func place(
    environment: [String: String], handlers: HandlerTable
  ) -> any SchedulingPlace {
    RunnerPlace(environment: environment, handlers: handlers)
  }
}
