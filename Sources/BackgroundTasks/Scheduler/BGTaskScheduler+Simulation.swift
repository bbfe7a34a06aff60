extension BGTaskScheduler {
  /// Launches the waiting request with this identifier now, whatever time or condition it waits for.
  ///
  /// It is what Apple's debugger command `_simulateLaunchForTaskWithIdentifier` does.
  ///
  /// - Throws: `BGTaskScheduler.Error` when nothing with this identifier waits.
  public func simulateLaunch(forTaskWithIdentifier identifier: String) throws {
    try Error.bridged { () throws(Error) in try place.simulate(.launch, identifier) }
  }

  /// Expires the running task with this identifier now, as if it had been silent for too long.
  ///
  /// It is what Apple's debugger command `_simulateExpirationForTaskWithIdentifier` does.
  ///
  /// - Throws: `BGTaskScheduler.Error` when it does not run.
  public func simulateExpiration(forTaskWithIdentifier identifier: String) throws {
    try Error.bridged { () throws(Error) in try place.simulate(.expire, identifier) }
  }

  /// Stalls the running task with this identifier now: the question whether it is to continue opens.
  ///
  /// - Throws: `BGTaskScheduler.Error` when it does not run.
  public func simulateStall(forTaskWithIdentifier identifier: String) throws {
    try Error.bridged { () throws(Error) in try place.simulate(.stall, identifier) }
  }
}
