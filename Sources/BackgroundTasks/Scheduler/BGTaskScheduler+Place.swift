extension BGTaskScheduler {
  /// Who runs the tasks of a process with this environment.
  static func place(
    environment: [String: String], handlers: HandlerTable
  ) -> any SchedulingPlace {
    AbsentPlace(
      sentence: "this process cannot submit tasks to the runner yet; use jobrun submit")
  }
}
