extension BGTask {
  /// Adds work for the case that the task is told to stop, which its end then waits for.
  ///
  /// Unlike `expirationHandler` it may `await`, and unlike the Swift task of an `async` handler it is
  /// not cancelled. Several are run one after the other, in the order in which they were added; one
  /// that is added after the stop is run at once. `timeRemaining` says how long there is: what is
  /// not done when that is over goes down with the process.
  public func onExpiration(_ cleanUp: @escaping @Sendable (StopReason) async -> Void) {
    addCleanUp(cleanUp)
  }
}
