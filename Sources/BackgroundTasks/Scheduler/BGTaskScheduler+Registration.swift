public import Dispatch

extension BGTaskScheduler {
  /// Registers the handler of tasks with this identifier.
  ///
  /// `identifier` is a whole identifier or a pattern that ends in `.*`; the more specific one wins. `queue` is
  /// where the handler is called; nil means a separate one for each task. A handler that belongs to an actor,
  /// such as the main actor, is called there. It may return before the work is done; the work ends with
  /// `setTaskCompleted`.
  ///
  /// - Returns: False when the identifier is malformed or already registered; the log says which.
  @discardableResult
  @preconcurrency
  public func register(
    forTaskWithIdentifier identifier: String, using queue: DispatchQueue?,
    @_inheritActorContext launchHandler: @escaping @isolated(any) @Sendable (BGTask) -> Void
  ) -> Bool {
    handlers.register(
      identifier, Registration(queue: queue, body: .closure(launchHandler)))
  }

  /// Registers the handler of tasks with this identifier, with Apple's exact signature, for conformances to the
  /// caller's protocols.
  ///
  /// The handler is called on `queue`, without a check that its captured values may be used there.
  ///
  /// - Returns: False when the identifier is malformed or already registered; the log says which.
  @_disfavoredOverload
  @_silgen_name("jobrun_BGTaskScheduler_register_plain")
  @discardableResult
  public func register(
    forTaskWithIdentifier identifier: String, using queue: DispatchQueue?,
    launchHandler: @escaping (BGTask) -> Void
  ) -> Bool {
    let handler = TaskHandler(run: launchHandler)
    return handlers.register(
      identifier, Registration(queue: queue, body: .closure { task in handler.run(task) }))
  }

  /// Registers a function of the main actor, such as a method of an app's delegate: in Swift 5 mode the two
  /// forms above are ambiguous for it.
  ///
  /// `source` only disambiguates the forms.
  ///
  /// - Returns: False when the identifier is malformed or already registered; the log says which.
  @discardableResult
  @preconcurrency
  public func register(
    forTaskWithIdentifier identifier: String, using queue: DispatchQueue?,
    launchHandler: @escaping @MainActor @Sendable (BGTask) -> Void,
    source: StaticString = #fileID
  ) -> Bool {
    handlers.register(
      identifier, Registration(queue: queue, body: .closure(launchHandler)))
  }

  /// Registers a handler as Apple's session prints it, without a label and a queue.
  ///
  /// - Returns: False when the identifier is malformed or already registered; the log says which.
  @discardableResult
  @preconcurrency
  public func register(
    _ identifier: String,
    @_inheritActorContext launchHandler: @escaping @isolated(any) @Sendable (BGTask) -> Void
  ) -> Bool {
    register(forTaskWithIdentifier: identifier, using: nil, launchHandler: launchHandler)
  }

  /// Registers an `async` function that runs the tasks with this identifier.
  ///
  /// Its return completes the task. An error fails the task and becomes the displayed message: a `JobFailure`
  /// with its exit code, a `LocalizedError` with its description. A `JobDeferral` puts the job back into the
  /// queue. A stop cancels the Swift task.
  ///
  /// - Returns: False when the identifier is malformed or already registered; the log says which.
  @discardableResult
  public func register(
    forTaskWithIdentifier identifier: String,
    handler: @escaping @Sendable (BGContinuedProcessingTask) async throws -> Void
  ) -> Bool {
    register(identifier, handler)
  }

  /// Registers an `async` function that runs the processing tasks with this identifier.
  ///
  /// - Returns: False when the identifier is malformed or already registered; the log says which.
  @_disfavoredOverload
  @discardableResult
  public func register(
    forTaskWithIdentifier identifier: String,
    handler: @escaping @Sendable (BGProcessingTask) async throws -> Void
  ) -> Bool {
    register(identifier, handler)
  }

  /// Registers an `async` function that runs the refresh tasks with this identifier.
  ///
  /// - Returns: False when the identifier is malformed or already registered; the log says which.
  @_disfavoredOverload
  @discardableResult
  public func register(
    forTaskWithIdentifier identifier: String,
    handler: @escaping @Sendable (BGAppRefreshTask) async throws -> Void
  ) -> Bool {
    register(identifier, handler)
  }

  /// Registers an `async` function that handles pushes with this identifier.
  ///
  /// - Returns: False when the identifier is malformed or already registered; the log says which.
  @_disfavoredOverload
  @discardableResult
  public func register(
    forTaskWithIdentifier identifier: String,
    handler: @escaping @Sendable (BGPushTask) async throws -> Void
  ) -> Bool {
    register(identifier, handler)
  }

  /// Registers a function for tasks of one class; one of another class fails with a sentence.
  func register<Kind: BGTask>(
    _ identifier: String, _ handler: @escaping @Sendable (Kind) async throws -> Void
  ) -> Bool {
    let function: Registration.Function = { task in
      guard let task = task as? Kind else {
        throw JobFailure(
          "\(identifier) is registered for \(Kind.self), and \(type(of: task)) was launched;"
            + " give the handler and the definition the same kind")
      }
      try await handler(task)
    }
    return handlers.register(identifier, Registration(body: .function(function)))
  }
}

/// A handler that may not be `Sendable`; Apple's signature does not require that.
private struct TaskHandler: @unchecked Sendable {
  var run: (BGTask) -> Void
}
