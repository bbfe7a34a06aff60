internal import Dispatch

extension BGTaskScheduler {
  /// Submits a request: the task begins now or as soon as its turn comes and its conditions hold.
  ///
  /// A request with the same identifier that has not begun is replaced. Blocks until the scheduler answers;
  /// `submitTaskRequest(_:)` does not.
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

  /// Submits a request and reports every error, without blocking the calling thread.
  ///
  /// - Returns: Its record: it runs, or waits for a reason; nil without records.
  ///
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

  /// Submits a request and reports every error; with Apple's exact signature.
  ///
  /// - Throws: `BGTaskScheduler.Error`, with a sentence.
  @_disfavoredOverload
  public func submitTaskRequest(_ request: BGTaskRequest) async throws {
    let _: BGTaskRecord? = try await submitTaskRequest(request)
  }

  /// Submits a request; the handler gets nil when it was accepted, otherwise the error.
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

  /// Withdraws the request with this identifier; a running task continues.
  ///
  /// `BGTask.cancel()` stops a running task.
  public func cancel(taskRequestWithIdentifier identifier: String) {
    calls.during { place.cancel(identifier) }
  }

  /// Withdraws all requests of this program that have not begun; running tasks continue.
  public func cancelAllTaskRequests() {
    calls.during { place.cancelAll() }
  }

  /// The requests of this program that have not begun.
  public func pendingTaskRequests() async -> [BGTaskRequest] {
    await onQueue { self.place.pending }.map(\.request)
  }

  /// Passes the requests of this program that have not begun to the handler, on a background queue.
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

  /// The resources that a continued task of this process may request; others are refused at submission.
  public static var supportedResources: BGContinuedProcessingTaskRequest.Resources {
    shared.supportedResources
  }

  /// The resources that a continued task of this scheduler may request.
  public var supportedResources: BGContinuedProcessingTaskRequest.Resources {
    place.supportedResources
  }

  /// Runs a body that may block on a thread that may block.
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
