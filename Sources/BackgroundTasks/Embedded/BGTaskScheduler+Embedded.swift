extension BGTaskScheduler {
  /// A scheduler without a runner: it admits, watches and ends tasks in this process, by the same
  /// rules.
  ///
  /// For tests, on a `VirtualClock`: `clock.advance(by:)` expires and stalls tasks in microseconds. For
  /// containers and single-binary servers, on the machine's clock. A task that does not end when it is
  /// told to cannot be killed here; it keeps its slot until it is completed.
  ///
  /// - Parameters:
  ///   - clock: what time is measured on; nil is the machine's clock.
  ///   - resources: what the tasks may use; `changeResources(to:)` changes it.
  ///   - rules: how patient it is.
  /// - Returns: The scheduler; its tasks live as long as somebody keeps it.
  public static func embedded(
    clock: VirtualClock? = nil, resources: EmbeddedResources = EmbeddedResources(),
    rules: EmbeddedRules = EmbeddedRules()
  ) -> BGTaskScheduler {
    let clock: any TaskClock = clock ?? MachineClock()
    return BGTaskScheduler(environment: [:], clock: clock) { handlers in
      EmbeddedBackend(resources, rules, clock: clock, handlers: handlers)
    }
  }

  /// Runs `operation` with this scheduler as `BGTaskScheduler.shared`, for code that was written for
  /// that.
  ///
  /// It holds for the calling Swift task and those that it starts, and for handlers of this
  /// scheduler's tasks anyway; threads that they start on their own have the process's scheduler.
  ///
  /// - Returns: What `operation` returns.
  public func asShared<Value>(_ operation: () throws -> Value) rethrows -> Value {
    try Self.$substitute.withValue(self, operation: operation)
  }

  /// Runs an `async` operation with this scheduler as `BGTaskScheduler.shared`, as `asShared` does.
  ///
  /// - Returns: What `operation` returns.
  public func whileShared<Value>(
    _ operation: () async throws -> Value
  ) async rethrows -> Value {
    try await Self.$substitute.withValue(self, operation: operation)
  }

  /// Makes the machine of an embedded scheduler another one: a network that is lost, a GPU more.
  ///
  /// It does nothing in other places, whose machine is what it is.
  public func changeResources(to resources: EmbeddedResources) {
    (place as? EmbeddedBackend)?.change(to: resources)
  }
}
