// Many jobs of one submission may be meant to end with the first of them that fails. That is decided here
// and not where somebody watches: terminals go.
extension Scheduler {
  /// A job has ended; what is left of its submission ends with it where that was asked for.
  ///
  /// What the runner interrupts because it is told to stop has not failed.
  mutating func noteFailure(_ index: Int, _ outcome: Outcome) {
    guard table[index].submission.options.halts else { return }
    switch outcome {
    case .failed, .expired: break
    case .interrupted where !isShuttingDown: break
    case .succeeded, .cancelled, .refused, .interrupted: return
    }
    halting.append((table[index].number, table[index].terms))
  }

  /// Cancels what is left of the submissions that have failed.
  mutating func haltOthers(at now: Instant) {
    for (failed, terms) in halting {
      cancel(
        liveNumbers.filter { number in
          guard let index = table.index(of: number) else { return false }
          return table[index].submission.isOfOneBatch(with: terms.submission)
        },
        because: StopReason(.user, "job \(failed), which was submitted with it, failed"), at: now)
    }
    halting.removeAll(keepingCapacity: true)
  }
}

extension Submission {
  /// Whether both are of the many of one submission, whose keys differ in their last digits only.
  fileprivate func isOfOneBatch(with other: Submission) -> Bool {
    guard options.halts, key.utf8.count == other.key.utf8.count else { return false }
    return key.utf8.dropLast(Batch.keyDigits).elementsEqual(
      other.key.utf8.dropLast(Batch.keyDigits))
  }
}
