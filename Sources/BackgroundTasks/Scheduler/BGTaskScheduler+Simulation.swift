extension BGTaskScheduler {
  /// Launches the waiting request with this identifier now, regardless of its time and conditions.
  ///
  /// It corresponds to Apple's debugger command `_simulateLaunchForTaskWithIdentifier`.
  ///
  /// - Throws: `BGTaskScheduler.Error` when no request with this identifier waits.
  public func simulateLaunch(forTaskWithIdentifier identifier: String) throws {
    try Error.bridged { () throws(Error) in try place.simulate(.launch, identifier) }
  }

  /// Expires the running task with this identifier now, as if it had been silent for too long.
  ///
  /// It corresponds to Apple's debugger command `_simulateExpirationForTaskWithIdentifier`.
  ///
  /// - Throws: `BGTaskScheduler.Error` when it does not run.
  public func simulateExpiration(forTaskWithIdentifier identifier: String) throws {
    try Error.bridged { () throws(Error) in try place.simulate(.expire, identifier) }
  }

  /// Stalls the running task with this identifier now: opens the question whether it should continue.
  ///
  /// - Throws: `BGTaskScheduler.Error` when it does not run.
  public func simulateStall(forTaskWithIdentifier identifier: String) throws {
    try Error.bridged { () throws(Error) in try place.simulate(.stall, identifier) }
  }
}
