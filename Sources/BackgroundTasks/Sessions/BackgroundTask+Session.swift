extension BackgroundTask where Request == Void, Response == Void {
  /// The events of the background session with this identifier, whose last transfer has ended while no
  /// process of the program had it open.
  ///
  /// The library `BackgroundTasksNetworking` provides such sessions. After the handler's return, the process
  /// continues until its delegate has received all events of the session's transfers.
  public static func urlSession(_ identifier: String) -> BackgroundTask {
    BackgroundTask(sessions: { $0 == identifier }, request: { _ in })
  }
}

extension BackgroundTask where Request == String, Response == Void {
  /// The events of background sessions whose identifiers `condition` holds for; the handler is given the
  /// identifier.
  public static func urlSession(
    matching condition: @escaping @Sendable (String) -> Bool
  ) -> BackgroundTask {
    BackgroundTask(sessions: condition) { (session: String) in session }
  }

  /// The events of every background session; the handler is given its identifier.
  public static var urlSession: BackgroundTask { urlSession(matching: { _ in true }) }
}
