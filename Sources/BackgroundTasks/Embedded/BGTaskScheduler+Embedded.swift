extension BGTaskScheduler {
  /// A scheduler without a runner: it admits, watches and ends tasks in this process, by the same
  /// rules.
  ///
  /// For tests, on a `VirtualClock`: `clock.advance(by:)` expires and stalls tasks in microseconds. For
  /// containers and single-binary servers, on the machine's clock. A task that ignores its stop cannot be
  /// killed here; it keeps its slot until it is completed.
  ///
  /// - Parameters:
  ///   - clock: the clock for all times; nil is the machine's clock.
  ///   - resources: the resources of its tasks; `changeResources(to:)` changes them.
  ///   - rules: its timeouts.
  /// - Returns: The scheduler; its tasks live as long as it is referenced.
  public static func embedded(
    clock: VirtualClock? = nil, resources: EmbeddedResources = EmbeddedResources(),
    rules: EmbeddedRules = EmbeddedRules()
  ) -> BGTaskScheduler {
    let clock: any TaskClock = clock ?? MachineClock()
    return BGTaskScheduler(environment: [:], clock: clock) { handlers in
      EmbeddedBackend(resources, rules, clock: clock, handlers: handlers)
    }
  }

  /// Runs `operation` with this scheduler as `BGTaskScheduler.shared`, for code that uses that.
  ///
  /// It applies to the calling Swift task and those that it starts, and always to handlers of this scheduler's
  /// tasks; their own threads have the process's scheduler.
  ///
  /// - Returns: The result of `operation`.
  public func asShared<Value>(_ operation: () throws -> Value) rethrows -> Value {
    try Self.$substitute.withValue(self, operation: operation)
  }

  /// Runs an `async` operation with this scheduler as `BGTaskScheduler.shared`, as `asShared` does.
  ///
  /// - Returns: The result of `operation`.
  public func whileShared<Value>(
    _ operation: () async throws -> Value
  ) async rethrows -> Value {
    try await Self.$substitute.withValue(self, operation: operation)
  }

  /// Changes the machine of an embedded scheduler: a lost network, another GPU.
  ///
  /// Has no effect on other schedulers, which use the real machine.
  public func changeResources(to resources: EmbeddedResources) {
    (place as? EmbeddedBackend)?.change(to: resources)
  }
}
