internal import Dispatch

extension BGTaskScheduler {
  /// Submits a request: the task begins now or as soon as its turn comes and its conditions hold.
  ///
  /// A request with the same identifier that has not begun is replaced. It waits for the answer of
  /// whoever runs the tasks; `submitTaskRequest(_:)` does so without blocking.
  ///
  /// - Throws: `BGTaskScheduler.Error`, with a sentence.
  public func submit(_ request: BGTaskRequest) throws {
    try Error.bridged { () throws(Error) in
      try calls.during { () throws(Error) in try place.submit(request.requestedTask) }
    }
  }

  /// Submits a request as Apple's session prints it, `submit(request)!`.
  ///
  /// - Returns: Nil when it is refused; the log says why.
  @_disfavoredOverload
  @discardableResult
  public func submit(_ request: BGTaskRequest) -> Void? {
    do {
      return try calls.during { () throws(Error) in try place.submit(request.requestedTask) }
    } catch {
      StandardError.say("\(request.identifier) was not submitted: \(error.message)")
      return nil
    }
  }

  /// Submits a request and reports every error, without blocking a thread of the caller's.
  ///
  /// - Returns: What became of it: it runs, or waits for a reason; nil where nobody keeps records.
  /// - Throws: `BGTaskScheduler.Error`, with a sentence.
  @discardableResult
  public func submitTaskRequest(_ request: BGTaskRequest) async throws -> BGTaskRecord? {
    let requested = request.requestedTask
    let answer = await onQueue {
      Result { () throws(Error) in try self.place.submit(requested) }
    }
    try Error.bridged { () throws(Error) in try answer.get() }
    return await taskRecord(forTaskWithIdentifier: requested.identifier)
  }

  /// Submits a request and reports every error; the form of Apple's signature, for what spells that.
  ///
  /// - Throws: `BGTaskScheduler.Error`, with a sentence.
  @_disfavoredOverload
  public func submitTaskRequest(_ request: BGTaskRequest) async throws {
    let _: BGTaskRecord? = try await submitTaskRequest(request)
  }

  /// Submits a request; the handler gets nil when it was taken, else the error.
  public func submitTaskRequest(
    _ request: BGTaskRequest, completionHandler: @escaping @Sendable ((any Swift.Error)?) -> Void
  ) {
    let requested = request.requestedTask
    calls.begin()
    DispatchQueue.request.async {
      defer { self.calls.end() }
      do throws(Error) {
        try self.place.submit(requested)
        completionHandler(nil)
      } catch {
        completionHandler(error._nsError)
      }
    }
  }

  /// Withdraws the request with this identifier; a task that runs already goes on.
  ///
  /// `BGTask.cancel()` stops one that runs.
  public func cancel(taskRequestWithIdentifier identifier: String) {
    calls.during { place.cancel(identifier) }
  }

  /// Withdraws all requests of this program that have not begun; tasks that run go on.
  public func cancelAllTaskRequests() {
    calls.during { place.cancelAll() }
  }

  /// The requests of this program that have not begun.
  public func pendingTaskRequests() async -> [BGTaskRequest] {
    await onQueue { self.place.pending }.map(\.request)
  }

  /// Hands over the requests of this program that have not begun, on a queue in the background.
  @preconcurrency
  public func getPendingTaskRequests(
    completionHandler: @escaping @Sendable ([BGTaskRequest]) -> Void
  ) {
    calls.begin()
    DispatchQueue.request.async {
      defer { self.calls.end() }
      completionHandler(self.place.pending.map(\.request))
    }
  }

  /// What a continued task of this process may ask for; everything else is refused at submission.
  public static var supportedResources: BGContinuedProcessingTaskRequest.Resources {
    shared.supportedResources
  }

  /// What a continued task of this scheduler may ask for.
  public var supportedResources: BGContinuedProcessingTaskRequest.Resources {
    place.supportedResources
  }

  /// Runs what may wait on a thread that may wait.
  func onQueue<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value
  ) async -> Value {
    calls.begin()
    defer { calls.end() }
    return await withCheckedContinuation { continuation in
      DispatchQueue.request.async { continuation.resume(returning: body()) }
    }
  }
}
