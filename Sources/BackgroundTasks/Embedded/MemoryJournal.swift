internal import JobCore
internal import JobRuntime

/// The journal of a scheduler whose tasks end with its process: no state has to outlast it, so commits are
/// durable at once.
struct MemoryJournal: Journal {
  mutating func commit(_ commit: inout Commit, of jobs: LiveJobTable) -> JournalRefusal? { nil }

  /// Each submission has a unique key.
  func job(withKey key: String) throws(JournalRefusal) -> JobNumber? { nil }

  /// No task comes after another one.
  func outcome(of number: JobNumber) -> Outcome? { nil }
}
