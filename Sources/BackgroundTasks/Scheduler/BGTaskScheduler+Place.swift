extension BGTaskScheduler {
  /// Who runs the tasks of a process with this environment: a runner, or with
  /// `JOBRUN_SCHEDULER=embedded` the process itself.
  static func place(
    environment: [String: String], handlers: HandlerTable
  ) -> any SchedulingBackend {
    guard environment["JOBRUN_SCHEDULER"] == "embedded" else {
      return RunnerBackend(environment: environment, handlers: handlers)
    }
    return EmbeddedBackend(
      EmbeddedResources(), EmbeddedRules(), clock: MachineClock(), handlers: handlers)
  }
}
