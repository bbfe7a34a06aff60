package import JobCore

// Jobs of an earlier driver: what its journal kept goes on.
extension JobRuntime {
  /// Goes on with a job; `attempt` is the one that runs, or the one that a waiting job makes next.
  package func restore(
    _ number: JobNumber, _ submission: Submission, _ phase: RestoredPhase, attempt: Int,
    past: PastAttempts
  ) {
    inbox.append(.restore(number, submission, attempt: attempt, phase, past: past))
  }

  /// Nothing may start before all that runs holds its slot again, and nothing before its time.
  ///
  /// What waited for another job is looked at with the first event that is no restore: there has to be one.
  package func putRestoresFirst(at time: WallTime) {
    let (restores, others) = (inbox.filter(\.isRestore), inbox.filter { !$0.isRestore })
    inbox = [.timeOfDay(time)] + restores + others + (restores.isEmpty ? [] : [.deadline])
  }
}

extension Event {
  fileprivate var isRestore: Bool { if case .restore = self { true } else { false } }
}
