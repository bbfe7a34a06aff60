import JobCore

extension World {
  /// Of many jobs that end with the first that fails, none goes on after one that has just failed.
  mutating func checkHalts(_ effects: [Effect]) {
    for case .announce(let number, let announcement) in effects {
      guard case .ended(let outcome, _) = announcement.state,
        outcome == .failed || outcome == .expired, let failed = members[number]?.submission,
        failed.options.halts
      else { continue }
      let stem = failed.key.dropLast(Batch.keyDigits)
      for (other, member) in members
      where member.submission.options.halts && member.submission.key.hasPrefix(stem)
        && member.submission.key.utf8.count == failed.key.utf8.count
        && member.stage != .ended && member.stage != .active(stopping: true)
      {
        deny("job \(number) has failed, and job \(other) of the same submission goes on")
      }
    }
  }
}
