extension BGTask {
  /// Adds clean-up for a stop of the task, whose end then waits for it.
  ///
  /// Unlike `expirationHandler` it may `await`, and unlike the Swift task of an `async` handler it is not
  /// cancelled. Several are run one after the other, in the order of their addition; one that is added after
  /// the stop is run at once. `timeRemaining` is the time left: at its end the process is killed.
  public func onExpiration(_ cleanUp: @escaping @Sendable (StopReason) async -> Void) {
    addCleanUp(cleanUp)
  }
}
