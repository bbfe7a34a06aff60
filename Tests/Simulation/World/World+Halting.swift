import JobCore

extension World {
  /// In a submission that halts, no job continues after the decisive failure, or success.
  mutating func checkHalts(_ effects: [Effect]) {
    for case .announce(let number, let announcement) in effects {
      guard case .ended(let outcome, _) = announcement.state,
        let failed = members[number]?.submission, failed.options.halts,
        failed.options.haltsOnSuccess
          ? outcome == .succeeded : outcome == .failed || outcome == .expired
      else { continue }
      if failed.options.haltAfter > 1 {
        let count = (haltCounts[failed.stem] ?? 0) + 1
        haltCounts[failed.stem] = count
        // An earlier runner may have counted, too.
        guard count >= failed.options.haltAfter else { continue }
      }
      let stem = failed.key.dropLast(Batch.keyDigits)
      for (other, member) in members
      where member.submission.options.halts && member.submission.key.hasPrefix(stem)
        && member.submission.key.utf8.count == failed.key.utf8.count
        && member.stage != .ended && member.stage != .active(stopping: true)
        && !(failed.options.haltsSoon && isActive(other))
      {
        deny("job \(number) has ended, and job \(other) of the same submission goes on")
      }
    }
  }
}
