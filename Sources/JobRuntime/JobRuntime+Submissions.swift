package import JobCore
import JobWire

// Submissions: which need a turn of their own, which are duplicates, and the ends of their prerequisites.
extension JobRuntime {
  /// The job of an earlier, identical submission, which is its answer: it must not reach the scheduler, which
  /// has only live jobs.
  package func job(
    withKey key: String, by journal: some Journal
  ) throws(JournalRefusal) -> JobNumber? {
    if let number = endedKeys[key] { return number }
    return try journal.job(withKey: key)
  }

  /// Whether the event may end another job in favour of a new one.
  func isReplacing(_ event: Event) -> Bool {
    guard case .submit(_, let submission) = event, submission.options.ifExists != .keep,
      let existing = scheduler.number(of: submission.identifier),
      !scheduler.leavesAlone(existing, submission)
    else { return false }
    // A repeated request does not replace a job.
    return jobs[existing]?.submission.key != submission.key
  }

  /// Answers an event that repeats a submission whose job has ended since; whether it did.
  func isRepeated(_ event: Event, in turn: inout Turn) -> Bool {
    if endedKeys.isEmpty { return false }
    if case .batch(let tag, let batch) = event { return isRepeated(batch, tag, in: &turn) }
    guard case .submit(let tag, let submission) = event, let number = endedKeys[submission.key]
    else { return false }
    let host = drafts.removeValue(forKey: tag)?.job.host
    turn.answers.append(
      Turn.Answer(
        tag: tag, reply: .success(.duplicate(number)), object: ended(number, in: turn),
        host: host))
    return true
  }

  /// The same for a batch whose first job has ended.
  private func isRepeated(_ batch: Batch, _ tag: RequestTag, in turn: inout Turn) -> Bool {
    guard let first = endedKeys[batch.submission(at: 0).key] else { return false }
    drafts[batch: tag] = nil
    let reply = Reply.duplicateMany(first: first, count: batch.count)
    turn.answers.append(Turn.Answer(tag: tag, reply: .success(reply), object: nil))
    return true
  }

  /// A job as its end was announced, in this turn or before; nil when only the journal has it.
  private func ended(_ number: JobNumber, in turn: Turn) -> JobStatus? {
    if let object = heldBack.end(of: number) { return withoutEnd(object) }
    return turn.lines.last { $0.number == number && $0.kind == .ended }?.object
  }

  /// Adds to a submission the ends of its ended prerequisites; returns any other event unchanged.
  ///
  /// The scheduler has only live jobs.
  func informed(_ event: Event, by journal: some Journal) -> Event {
    switch event {
    case .submit(let tag, let submission) where !submission.after.isEmpty:
      return .submit(tag, informed(submission, by: journal))
    case .batch(let tag, var batch) where !batch.stem.after.isEmpty:
      batch.stem = informed(batch.stem, by: journal)
      return .batch(tag, batch)
    case .redo(let tag, let number, let submission, let attempt, let isForced)
    where !submission.after.isEmpty:
      return .redo(
        tag, number, informed(submission, by: journal), attempt: attempt, isForced: isForced)
    case .edit(let tag, let number, var edit):
      edit.after = edit.after.map { informed($0, by: journal) }
      edit.afterAny = edit.afterAny.map { informed($0, by: journal) }
      return .edit(tag, number, edit)
    default: return event
    }
  }

  private func informed(_ submission: Submission, by journal: some Journal) -> Submission {
    var submission = submission
    submission.after = informed(submission.after, by: journal)
    return submission
  }

  private func informed(
    _ prerequisites: [Prerequisite], by journal: some Journal
  ) -> [Prerequisite] {
    var prerequisites = prerequisites
    for index in prerequisites.indices {
      let number = prerequisites[index].number
      if let job = jobs[number] {
        guard case .ended(let outcome, _) = job.state else { continue }
        prerequisites[index].outcome = outcome
      } else {
        prerequisites[index].outcome = journal.outcome(of: number)
      }
    }
    return prerequisites
  }
}
