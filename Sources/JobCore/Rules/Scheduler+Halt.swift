// The jobs of one submission may be meant to end together after the first, or the third, failure or success.
// The runner decides that and not a client, because terminals go away.
extension Scheduler {
  /// Records a job's end; the rest of its submission ends with it if that was requested.
  ///
  /// A job that the runner interrupts for its own shutdown has not failed.
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

  /// Cancels the remaining jobs of submissions that have reached their limit.
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

  /// The common stem of the keys of one submission's jobs.
  package var stem: String { String(key.dropLast(Batch.keyDigits)) }
}
