import JobCore
import JobRuntime
import JobWire

// Bundles' shares of background starts, across runners.
extension Life {
  /// Small enough for a life to meet its bounds, and over before the life is.
  static var budget: Budget {
    var budget = Budget()
    (budget.starts, budget.processorTime) = (3, .seconds(20))
    (budget.window, budget.backOff, budget.longestBackOff) = (
      .minutes(2), .seconds(2), .seconds(30)
    )
    return budget
  }

  /// The usage of ended jobs, from the journal.
  var pastUses: [UsageRecord] {
    let since = timeOfDay - Life.budget.window
    return journal.ended.values.compactMap { job in
      guard job.submission.options.kind != .continued, let bundle = job.submission.bundle,
        let outcome = job.outcome, let start = job.startedAt, let end = job.endedAt, end >= since
      else { return nil }
      if job.past.isSimulated { return nil }
      return UsageRecord(
        job.submission, of: bundle, from: start, to: end,
        processorTime: .microseconds(job.use.cpuMicroseconds ?? 0), outcome, job.reason?.code,
        wasKilled: job.signal == 9)
    }.sorted { $0.endedAt < $1.endedAt }
  }

  /// No job of a bundle starts beyond its budget, unless the clock was set.
  mutating func checkBudget(of number: JobNumber, _ attempt: Int) {
    guard let most = configuration.budget?.starts, !clockWasSet, attempt == 1,
      let submission = journal.rows[number]?.submission, submission.options.kind != .continued,
      witness.world.members[number]?.isLaunchedEarly == false
    else { return }
    let since = time.less(Life.budget.window.less(.seconds(2)))
    let count = attempts.count { other in
      guard other.attempt == 1, other.bundle == submission.bundle, other.began > since else {
        return false
      }
      switch other.record {
      case .started, .ended: return true
      case .empty, .revoked: return false
      }
    }
    if count >= most {
      deny("job \(number) is launched, and its bundle has had \(count) starts within two minutes")
    }
  }
}

extension LiveJob {
  fileprivate var reason: StopReason? {
    if case .ended(_, let reason) = state { reason } else { nil }
  }
}
