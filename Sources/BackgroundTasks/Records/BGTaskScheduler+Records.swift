extension BGTaskScheduler {
  /// This program's tasks, including ended ones, in order of acceptance.
  ///
  /// The number of ended tasks is limited: by the runner's history, or to the last thousand of an embedded
  /// scheduler.
  public func taskRecords() async -> [BGTaskRecord] {
    await onQueue { self.place.records }
  }

  /// The newest task with this identifier, live or ended.
  public func taskRecord(forTaskWithIdentifier identifier: String) async -> BGTaskRecord? {
    await taskRecords().last { $0.identifier == identifier }
  }

  /// Waits until the newest task with this identifier meets a condition, and returns its record.
  ///
  /// The condition is checked after each event of a task. When the calling Swift task is cancelled, or the
  /// runner cannot be reached, the current record is returned.
  ///
  /// - Returns: Nil when there is no such task.
  public func taskRecord(
    forTaskWithIdentifier identifier: String,
    when condition: @escaping @Sendable (BGTaskRecord) -> Bool
  ) async -> BGTaskRecord? {
    await taskRecords { records in
      records.last { $0.identifier == identifier }.map(condition) ?? false
    }.last { $0.identifier == identifier }
  }

  /// Waits until this program's tasks meet a condition, and returns their records.
  ///
  /// The condition is checked after each event of a task. When the calling Swift task is cancelled, or the
  /// runner cannot be reached, the current records are returned.
  ///
  /// - Returns: The records, in order of acceptance.
  public func taskRecords(
    when condition: @escaping @Sendable ([BGTaskRecord]) -> Bool
  ) async -> [BGTaskRecord] {
    await place.wait(until: condition)
    return await taskRecords()
  }

  /// Why the request with this identifier has not begun; nil when it has, or does not exist.
  public func pendingReason(
    forTaskWithIdentifier identifier: String
  ) async -> BGTaskRecord.PendingReason? {
    await taskRecord(forTaskWithIdentifier: identifier)?.pendingReason
  }

  /// Answers the question whether a stalled task should continue; false without an open question.
  @discardableResult
  public func answerStall(
    ofTaskWithIdentifier identifier: String, continues: Bool
  ) async -> Bool {
    await onQueue { self.place.answer(identifier, continues: continues) }
  }
}
