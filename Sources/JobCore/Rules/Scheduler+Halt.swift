// Many jobs of one submission may be meant to end with the first of them that fails or succeeds, or with the
// third. That is decided here and not where somebody watches: terminals go.
extension Scheduler {
  /// A job has ended; what is left of its submission ends with it where that was asked for.
  ///
  /// What the runner interrupts because it is told to stop has not failed.
  mutating func noteFailure(_ index: Int, _ outcome: Outcome) {
    let options = table[index].submission.options
    guard options.halts, halts(options, outcome) else { return }
    let submission = table[index].submission
    if options.haltAfter > 1 {
      let count = (haltCounts[submission.stem] ?? 0) + 1
      haltCounts[submission.stem] = count
      guard count >= options.haltAfter else { return }
    }
    halting.append((table[index].number, table[index].terms))
  }

  private func halts(_ options: Submission.Options, _ outcome: Outcome) -> Bool {
    switch outcome {
    case .succeeded: options.haltsOnSuccess
    case .failed, .expired: !options.haltsOnSuccess
    case .interrupted: !options.haltsOnSuccess && !isShuttingDown
    case .cancelled, .refused: false
    }
  }

  /// Cancels what is left of the submissions that have come to their halt.
  mutating func haltOthers(at now: Instant) {
    for (last, terms) in halting {
      let options = terms.submission.options
      let what = options.haltsOnSuccess ? "succeeded" : "failed"
      let why =
        options.haltAfter > 1
        ? "\(options.haltAfter) jobs that were submitted with it \(what), job \(last) as the last"
        : "job \(last), which was submitted with it, \(what)"
      cancel(
        liveNumbers.filter { number in
          guard let index = table.index(of: number) else { return false }
          if options.haltsSoon, table[index].isActive { return false }
          return table[index].submission.isOfOneBatch(with: terms.submission)
        },
        because: StopReason(.user, why), at: now)
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

  /// What the keys of those of one submission have in common.
  package var stem: String { String(key.dropLast(Batch.keyDigits)) }
}
