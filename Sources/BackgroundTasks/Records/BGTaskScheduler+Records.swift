extension BGTaskScheduler {
  /// This program's tasks, those that have ended included, in order of acceptance.
  ///
  /// What is remembered of ended tasks is limited: by the runner's history, or to the last thousand
  /// of an embedded scheduler.
  public func taskRecords() async -> [BGTaskRecord] {
    await onQueue { self.place.records }
  }

  /// The newest task with this identifier, also one that has ended.
  public func taskRecord(forTaskWithIdentifier identifier: String) async -> BGTaskRecord? {
    await taskRecords().last { $0.identifier == identifier }
  }

  /// Waits until the newest task with this identifier meets a condition, and gives its record.
  ///
  /// The condition is looked at whenever something happens to a task. When the calling Swift task is
  /// cancelled, or the runner cannot be reached, the record is given as it is.
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

  /// Waits until this program's tasks meet a condition, and gives their records.
  ///
  /// The condition is looked at whenever something happens to a task. When the calling Swift task is
  /// cancelled, or the runner cannot be reached, the records are given as they are.
  ///
  /// - Returns: The records, in order of acceptance.
  public func taskRecords(
    when condition: @escaping @Sendable ([BGTaskRecord]) -> Bool
  ) async -> [BGTaskRecord] {
    await place.wait(until: condition)
    return await taskRecords()
  }

  /// Why the request with this identifier has not begun; nil when it has, or there is none.
  public func pendingReason(
    forTaskWithIdentifier identifier: String
  ) async -> BGTaskRecord.PendingReason? {
    await taskRecord(forTaskWithIdentifier: identifier)?.pendingReason
  }

  /// Answers the question whether a stalled task is to continue; false when nothing is asked.
  @discardableResult
  public func answerStall(
    ofTaskWithIdentifier identifier: String, continues: Bool
  ) async -> Bool {
    await onQueue { self.place.answer(identifier, continues: continues) }
  }
}
