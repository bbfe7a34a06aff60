import BackgroundTasks

/// Where a habit is tried: the same assertions on the embedded scheduler and on a real runner, whose
/// scheduled tasks run in processes of their own.
@MainActor
final class Stage {
  private(set) var problems: [String] = []

  func expect(_ holds: Bool, _ sentence: String) {
    if !holds { problems.append(sentence) }
  }

  func expectEqual<Value: Equatable>(_ found: Value, _ right: Value, _ what: String) {
    if found != right { problems.append("\(what): \(found) instead of \(right)") }
  }

  /// Waits until `count` tasks with this identifier have ended; returns all of them, in order.
  func ends(of identifier: String, count: Int = 1) async -> [BGTaskRecord] {
    let isEnded: @Sendable (BGTaskRecord) -> Bool = {
      $0.identifier == identifier && $0.state == .ended
    }
    return await BGTaskScheduler.shared.taskRecords { $0.filter(isEnded).count >= count }
      .filter(isEnded)
  }

  /// Whether handlers run in this process; in one of their own they have returned when their task has ended.
  var isEmbedded: Bool { ProcessInfo.processInfo.environment["JOBRUN_SCHEDULER"] == "embedded" }

  /// Waits until the newest task with this identifier runs.
  func start(of identifier: String) async {
    _ = await BGTaskScheduler.shared.taskRecord(forTaskWithIdentifier: identifier) {
      $0.state == .running
    }
  }

  /// Brings the time of a waiting request.
  func launch(_ identifier: String) throws {
    try BGTaskScheduler.shared.simulateLaunch(forTaskWithIdentifier: identifier)
  }

  func pending() async -> [String] {
    await BGTaskScheduler.shared.pendingTaskRequests().map(\.identifier).sorted()
  }
}
