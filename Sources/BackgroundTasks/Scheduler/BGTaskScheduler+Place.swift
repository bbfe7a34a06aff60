internal import JobClient
internal import JobWire

extension BGTaskScheduler {
  /// The backend of a process with this environment: a runner, or with `JOBRUN_SCHEDULER=embedded` the process
  /// itself.
  static func place(
    environment: [String: String], handlers: HandlerTable
  ) -> any SchedulingBackend {
    guard environment["JOBRUN_SCHEDULER"] == "embedded" else {
      return RunnerBackend(environment: environment, handlers: handlers)
    }
    return EmbeddedBackend(
      EmbeddedResources(), EmbeddedRules(), clock: MachineClock(), handlers: handlers)
  }

  /// Keeps the machine awake for a process with this environment; nil where that is impossible.
  static func wakefulness(
    _ environment: [String: String], _ clock: any TaskClock
  ) -> Wakefulness? {
    guard environment["JOBRUN_SCHEDULER"] != "embedded" else { return nil }
    return Wakefulness(clock: clock) { () throws(WireError) in
      try Surroundings(environment: JobWire.Environment(environment)).hostLink()
    }
  }
}
