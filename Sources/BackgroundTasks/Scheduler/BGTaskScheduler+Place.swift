extension BGTaskScheduler {
  /// Who runs the tasks of a process with this environment: a runner, or with
  /// `JOBRUN_SCHEDULER=embedded` the process itself.
  static func place(
    environment: [String: String], handlers: HandlerTable
  ) -> any SchedulingPlace {
    guard environment["JOBRUN_SCHEDULER"] == "embedded" else {
      return RunnerPlace(environment: environment, handlers: handlers)
    }
    return EmbeddedPlace(
      EmbeddedResources(), EmbeddedRules(), clock: MachineClock(), handlers: handlers)
  }
}
