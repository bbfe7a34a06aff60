// A job may come after others: it waits until all of them have succeeded, and is refused as soon as one has
// ended otherwise, unless any end is accepted. Only existing jobs can be named, so there are no cycles.
//
// A success is final: later changes to that job have no effect. A restored or redone job waits only for its
// live prerequisites. The others had succeeded, because their end and its consequences are stored together, or
// the person has seen how they ended.
extension Scheduler {
  /// Notes which live jobs the one at `index` waits for.
  mutating func awaitPrerequisites(_ index: Int) {
    let number = table[index].number
    let hasOne = table[index].submission.after.hasOneSuccess
    for prerequisite in table[index].submission.after
    where prerequisite.number != number && table.index(of: prerequisite.number) != nil {
      if hasOne, prerequisite.isOne { continue }
      prerequisites.insert(number, after: prerequisite.number)
    }
  }

  /// The same for a job that is restored, before all others are.
  mutating func awaitPrerequisitesOfRestored(_ index: Int) {
    let number = table[index].number
    let hasOne = table[index].submission.after.hasOneSuccess
    for prerequisite in table[index].submission.after where prerequisite.number != number {
      if hasOne, prerequisite.isOne { continue }
      prerequisites.insert(number, after: prerequisite.number)
    }
    if prerequisites.waits(number) { restoredWaiting.append(number) }
  }

  /// All jobs of the earlier runner are restored: prerequisites that are not live had succeeded.
  mutating func settleRestored() {
    let waiting = restoredWaiting
    restoredWaiting = []
    for number in waiting {
      for prerequisite in prerequisites.awaited(by: number).elements
      where table.index(of: prerequisite) == nil {
        prerequisites.remove(number, after: prerequisite)
      }
      guard !prerequisites.waits(number), let index = table.index(of: number),
        case .awaiting = table[index].phase
      else { continue }
      delayed.remove(number)
      table[index].phase = .inLine(.slots)
      if !schedule(index) { waitSilently(index) }
      admissionDue = true
    }
  }

  /// Puts a waiting job aside while others have to succeed first; whether it did.
  mutating func waitForPrerequisites(_ index: Int) -> Bool {
    let number = table[index].number
    guard prerequisites.waits(number) else { return false }
    table[index].phase = .awaiting
    delayed.insert(number)
    deadlines.set(nil, at: index)
    return true
  }

  /// Jobs have ended: their dependents may start, or end too.
  ///
  /// Iterative, not recursive: chains may be long.
  mutating func tellDependents(at now: Instant) {
    if awaitedEnds.isEmpty { return }
    var next = 0
    while next < awaitedEnds.count {
      let (ended, outcome) = awaitedEnds[next]
      next += 1
      for number in prerequisites.settle(ended) {
        guard let index = table.index(of: number) else { continue }
        let need = needs(index, ended)
        if need.isOne {
          if outcome == .succeeded {
            forgetAlternatives(index)
          } else if !awaitsAlternative(index) {
            end(index, .refused, Scheduler.reasonWithoutOne(table[index].submission.after), at: now)
            continue
          }
        } else if !need.isMet(by: outcome) {
          end(index, .refused, Scheduler.reason(toRefuseAfter: ended, outcome), at: now)
          continue
        }
        if case .awaiting = table[index].phase, !prerequisites.waits(number) {
          endDelay(index, at: now)
        }
      }
    }
    awaitedEnds.removeAll(keepingCapacity: true)
  }

  /// One of the alternatives has succeeded: stop waiting for the others.
  private mutating func forgetAlternatives(_ index: Int) {
    let number = table[index].number
    for other in table[index].submission.after where other.isOne {
      prerequisites.remove(number, after: other.number)
    }
  }

  private func awaitsAlternative(_ index: Int) -> Bool {
    let awaited = prerequisites.awaited(by: table[index].number)
    return table[index].submission.after.contains { $0.isOne && awaited.contains($0.number) }
  }

  /// The requirement of the job at `index` on `number`.
  private func needs(_ index: Int, _ number: JobNumber) -> Prerequisite {
    table[index].submission.after.first { $0.number == number } ?? Prerequisite(number)
  }

  /// Why a submission cannot come after its prerequisites; nil when it can.
  func refusalAfter(_ submission: Submission, replacing existing: JobNumber?) -> Refusal? {
    if lacksAlternatives(submission) {
      return Refusal(.unavailable, Scheduler.reasonWithoutOne(submission.after).message)
    }
    for prerequisite in submission.after where table.index(of: prerequisite.number) == nil {
      if prerequisite.isOne || prerequisite.isMet(by: prerequisite.outcome) { continue }
      let reason = Scheduler.reason(toRefuseAfter: prerequisite.number, prerequisite.outcome)
      return Refusal(.unavailable, reason.message)
    }
    guard let existing, let index = table.index(of: existing),
      comesAfter(submission, existing),
      !table[index].isActive || !submission.leavesRunning
    else { return nil }
    return Refusal(
      .alreadyRunning,
      "job \(existing) has the identifier \(submission.identifier) too, and would be replaced by the"
        + " job that is to come after it; give that one another identifier")
  }

  /// Whether all alternatives, of which one should have succeeded, have ended without success.
  private func lacksAlternatives(_ submission: Submission) -> Bool {
    let ones = submission.after.filter { $0.isOne }
    return !ones.isEmpty
      && ones.allSatisfy { table.index(of: $0.number) == nil && $0.outcome != .succeeded }
  }

  /// Whether a submission comes after this job, directly or through others.
  private func comesAfter(_ submission: Submission, _ existing: JobNumber) -> Bool {
    var open = submission.after.map { $0.number }
    guard prerequisites.isAwaited(existing) else { return open.contains(existing) }
    var seen = Set(open)
    while let number = open.popLast() {
      if number == existing { return true }
      for earlier in prerequisites.awaited(by: number).elements where seen.insert(earlier).inserted
      {
        open.append(earlier)
      }
    }
    return false
  }

  /// Why an ended job must not make another attempt while its prerequisites stay as they are; nil when it may,
  /// or has to wait for live ones.
  ///
  /// An unknown job is no obstacle: it was removed, or had succeeded long ago.
  func refusalToRedo(_ submission: Submission, of number: JobNumber) -> Refusal? {
    let ones = submission.after.filter { $0.isOne && $0.number != number }
    if lacksAlternatives(submission), ones.allSatisfy({ $0.outcome != nil }) {
      let why = Scheduler.reasonWithoutOne(submission.after).message
      return Refusal(.unavailable, "\(why); --force runs it anyway")
    }
    for prerequisite in submission.after
    where !prerequisite.isOne && table.index(of: prerequisite.number) == nil {
      guard let outcome = prerequisite.outcome, !prerequisite.isMet(by: outcome),
        prerequisite.number != number
      else { continue }
      return Refusal(
        .unavailable,
        "job \(prerequisite.number), which it comes after, \(Scheduler.fate(outcome));"
          + " --force runs it anyway")
    }
    return nil
  }

  /// The jobs that are still awaited, in a sentence.
  func reasonToAwait(_ number: JobNumber) -> PendingReason {
    let awaited = prerequisites.awaited(by: number).elements
    let asked = table.index(of: number).map { table[$0].submission.after } ?? []
    return PendingReason(.after, "waits for " + wait(for: awaited, as: asked))
  }

  /// The live prerequisites of a submission, in a sentence; nil when all have ended.
  func lackOfPrerequisites(_ submission: Submission) -> String? {
    let hasOne = submission.after.hasOneSuccess
    let live = submission.after.filter { !($0.isOne && hasOne) }.map { $0.number }
      .filter { table.index(of: $0) != nil }
    guard !live.isEmpty else { return nil }
    return "it would have to wait for " + wait(for: live, as: submission.after)
  }

  /// `jobs 1 and 2 to succeed and job 3 to end`.
  private func wait(for numbers: [JobNumber], as asked: [Prerequisite]) -> String {
    let (any, ones) = (Set(asked.needingAnyEnd), Set(asked.needingOneSuccess))
    var parts: [String] = []
    let alternatives = numbers.filter { ones.contains($0) }
    if !alternatives.isEmpty {
      let named = words(jobs: Array(alternatives.prefix(3)), of: alternatives.count)
      parts.append(
        alternatives.count == 1 ? "\(named) to succeed" : "one of \(named) to succeed")
    }
    for (group, verb) in [
      (numbers.filter { !any.contains($0) && !ones.contains($0) }, "succeed"),
      (numbers.filter(any.contains), "end"),
    ] where !group.isEmpty {
      parts.append("\(words(jobs: Array(group.prefix(3)), of: group.count)) to \(verb)")
    }
    return parts.joined(separator: " and ")
  }

  static func reason(
    toRefuseAfter number: JobNumber, _ outcome: Outcome?
  ) -> StopReason {
    StopReason(.dependency, "job \(number), which it depends on, \(fate(outcome))")
  }

  static func reasonWithoutOne(_ after: [Prerequisite]) -> StopReason {
    let ones = after.needingOneSuccess
    let named = words(jobs: Array(ones.prefix(3)), of: ones.count)
    return StopReason(
      .dependency,
      ones.count == 1
        ? "\(named), which it depends on, has not succeeded"
        : "none of \(named), one of which it depends on, has succeeded")
  }

  private static func fate(_ outcome: Outcome?) -> String {
    switch outcome {
    case .failed: "failed"
    case .cancelled: "was cancelled"
    case .expired: "expired"
    case .interrupted: "was interrupted"
    case .refused: "was refused"
    case .succeeded, nil: "is no longer kept"
    }
  }
}
