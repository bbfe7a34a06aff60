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
