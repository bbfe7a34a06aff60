import JobCore
import JobRuntime

/// A journal in memory, which refuses on request.
struct ScriptedJournal: Journal {
  /// Why it refuses; nil = it accepts.
  var refusal: JournalRefusal?
  private(set) var rows: [JobNumber: LiveJob] = [:]
  private(set) var sequence: UInt64
  private(set) var commits: [Commit.Durability] = []
  private(set) var batches: [AcceptedBatch] = []
  private(set) var specifications: [JobNumber: NewSpecification] = [:]
  /// The stored jobs of all lines.
  private(set) var told: [[UInt8]] = []

  init(sequence: UInt64 = 0) { self.sequence = sequence }

  mutating func commit(_ commit: inout Commit, of jobs: LiveJobTable) -> JournalRefusal? {
    if let refusal { return refusal }
    commits.append(commit.durability)
    batches += commit.batches
    specifications.merge(commit.specifications) { $1 }
    for (number, bytes) in commit.replacements {
      specifications[number] = NewSpecification(bytes)
    }
    told += commit.lines.map(commit.json)
    for number in commit.changed { rows[number] = jobs[number] }
    for index in commit.lines.indices {
      sequence += 1
      commit.lines[index].sequence = sequence
    }
    return nil
  }

  func job(withKey key: String) throws(JournalRefusal) -> JobNumber? {
    if let refusal { throw refusal }
    return rows.first { $0.value.submission.key == key }?.key
  }

  func outcome(of number: JobNumber) -> Outcome? {
    if case .ended(let outcome, _)? = rows[number]?.state { outcome } else { nil }
  }
}
