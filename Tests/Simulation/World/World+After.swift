package import JobCore

// Invariants of jobs with prerequisites.
extension World {
  /// For a job that was just submitted or redone: its current prerequisites.
  mutating func notePrerequisites(of number: JobNumber) {
    let named = members[number]?.submission.after.map(\.number) ?? []
    let awaited = named.filter { $0 != number && (members[$0].map { $0.stage != .ended } ?? false) }
    members[number]?.awaited = Set(awaited)
  }

  /// The same for all that waits, once all of an earlier runner is known.
  package mutating func noteRestored(_ restored: RestoredPhase, of number: JobNumber) {
    switch restored {
    case .queued, .delayed: members[number]?.wasWaiting = true
    case .launching, .running, .paused, .stopping, .lingering: break
    }
    if let stem = members[number]?.submission.stem { restoredStems.insert(stem) }
    for (other, member) in members where member.wasWaiting && member.stage != .ended {
      notePrerequisites(of: other)
    }
  }

  /// Whether an earlier runner left it waiting, without a live prerequisite.
  func isReleasedSilently(_ number: JobNumber) -> Bool {
    guard let member = members[number], member.wasWaiting else { return false }
    return !member.submission.after.isEmpty && member.awaited.isEmpty
  }

  /// No job is launched before its prerequisites have succeeded, and none keeps waiting for an ended one.
  mutating func checkPrerequisites(_ effects: [Effect]) {
    for case .announce(let number, let announcement) in effects {
      if announcement.state == .launching, let awaited = members[number]?.awaited, !awaited.isEmpty
      {
        deny("job \(number) is launched before \(awaited.sorted()) have succeeded")
      }
      guard case .ended(let outcome, let reason) = announcement.state else { continue }
      for (other, member) in members where member.awaited.contains(number) {
        members[other]?.awaited.remove(number)
        let asked = member.submission.after.first { $0.number == number }
        if asked?.isMet(by: outcome) ?? (outcome == .succeeded) { continue }
        members[other]?.mayBeRefused = true
        if member.stage != .ended {
          deny("job \(other) waits on though job \(number) is \(outcome)")
        }
      }
      if reason?.code == .dependency, !(members[number]?.mayBeRefused ?? false) {
        deny("job \(number) is refused, and all that it comes after has succeeded")
      }
    }
  }
}
