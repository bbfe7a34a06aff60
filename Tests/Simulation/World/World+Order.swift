package import JobCore

// The order of waiting jobs. Places are derived from the requests, and turns from the times when jobs became
// the first of their kind.
extension World {
  /// Jobs that the queue cannot tell apart.
  struct Kind: Hashable {
    let lane: Lane
    let priority: Submission.Priority
    let needs: Set<String>
  }

  /// Jobs that wait for the same slots.
  struct Lane: Hashable {
    let group: GroupName?
    /// It has places, which all groups share.
    let engine: String?

    func shares(with other: Lane) -> Bool {
      if self == other { return true }
      if engine == other.engine { return engine != nil }
      return places.contains { other.places.contains($0) }
    }

    private var places: [String] {
      guard let engine else { return group == nil ? [MachineName.here] : [] }
      return Dice.engines[engine] == nil ? Dice.pools[engine] ?? [] : [engine]
    }
  }

  /// Since when the first of a kind is that, and how many of higher priorities were started since.
  struct Turn {
    var since: Instant
    var overtakings = 0
  }

  /// The members of a kind that are in line, in order.
  private func members(of kind: Kind) -> [JobNumber] {
    members.filter { $0.value.stage == .inLine && $0.value.kind == kind }
      .sorted { $0.value.position < $1.value.position }.map(\.key)
  }

  /// Updates the line, and begins the resulting turns.
  package mutating func noteLine(at now: Instant) {
    var lines: [Kind: [JobNumber]] = [:]
    for kind in Set(members.values.lazy.filter { $0.stage == .inLine }.map(\.kind)) {
      lines[kind] = members(of: kind)
    }
    for (kind, line) in lines where line.first != self.lines[kind]?.first {
      // A job that is put before the others takes over their turn.
      let wasBehind = self.lines[kind].map { old in line.first.map(old.contains) ?? false } ?? true
      if wasBehind { turns[kind] = Turn(since: now) }
    }
    self.lines = lines
  }

  /// A job leaves the line for a moment, and returns to another place.
  mutating func replace(_ number: JobNumber, at now: Instant, _ change: (inout Member) -> Void) {
    guard var member = members[number] else { return }
    let isInLine = member.stage == .inLine
    if isInLine {
      members[number]?.stage = .aside
      noteLine(at: now)
    }
    change(&member)
    members[number] = member
    if isInLine { noteLine(at: now) }
  }

  /// Where a job stands right behind another one, or first.
  func position(of number: JobNumber, behind target: JobNumber?) -> Double {
    let priority = members[number]?.kind.priority
    let others = members.filter {
      $0.key != number && $0.value.kind.priority == priority
        && ($0.value.stage == .inLine || $0.value.stage == .aside)
    }.map(\.value.position)
    guard let target, let front = members[target]?.position else {
      return (others.min() ?? Double(number.value)) - 1
    }
    let newest = members.keys.map(\.value).max() ?? 0
    return (front + (others.filter { $0 > front }.min() ?? Double(newest + 1))) / 2
  }

  /// Applies a person's edit of a waiting job.
  mutating func noteSteering(
    _ announcement: Announcement, of number: JobNumber, by event: Event, at now: Instant
  ) {
    switch (announcement.kind, event) {
    case (.held, _): members[number]?.submission.isHeld = true
    case (.released, _): members[number]?.submission.isHeld = false
    case (.moved, .move(_, number, let target)):
      let position = position(of: number, behind: target)
      replace(number, at: now) { $0.position = position }
    case (.edited, .edit(_, _, let edit))
    where edit.group != nil || edit.priority != nil || edit.after != nil || edit.start != nil:
      take(edit, of: number, at: now)
    default: break
    }
  }

  private mutating func take(_ edit: JobEdit, of number: JobNumber, at now: Instant) {
    if members[number]?.stage == .inLine {
      members[number]?.stage = .aside
      noteLine(at: now)
    }
    if let priority = edit.priority, priority != members[number]?.kind.priority {
      members[number]?.submission.options.priority = priority
      members[number]?.position = Double(number.value)
    }
    if let group = edit.group { members[number]?.submission.options.group = group }
    if let start = edit.start {
      members[number]?.submission.notBefore =
        if case .notBefore(let time) = start { time } else { nil }
      members[number]?.hasComeDue = start == .soon
      noteTime(of: number)
    }
    guard let after = edit.after else { return }
    let others = members[number]?.submission.after.filter { other in
      other.anyEnd && !after.contains { $0.number == other.number }
    }
    members[number]?.submission.after = after + (others ?? [])
    notePrerequisites(of: number)
  }

  /// No job overtakes one with equal or fewer needs ahead of it, nor one of a higher priority unless it was
  /// overtaken for long enough; and such a job is not overtaken again.
  mutating func checkOvertaking(by number: JobNumber, _ member: Member, at now: Instant) {
    // Whose turn it is has another answer where some are passed over.
    let isLifted = isLifted(number, at: now) || hasBars
    for (other, waiting) in members
    where other != number && waiting.stage == .inLine && waiting.kind.lane == member.kind.lane {
      let needs = waiting.kind.needs
      // Counted resources are determined for each of them.
      guard needs.isEmpty || needs == member.kind.needs, waiting.demand.processors == 0,
        waiting.home == nil, member.home == nil,
        !isBarred(waiting.submission),
        !isPutOff(waiting.submission),
        !mayRest(waiting.submission, at: now),
        !mayHaveAllItsSlots(waiting.submission, but: number)
      else { continue }
      if waiting.kind.priority == member.kind.priority {
        if waiting.position < member.position {
          deny("job \(number) overtakes job \(other), which needs nothing else")
        }
      } else if waiting.kind.priority < member.kind.priority {
        if !isLifted { deny("job \(number) overtakes job \(other) of a higher priority") }
      } else if needs.isEmpty, !isLifted, liftedBefore.contains(other) {
        deny("job \(number) is launched, and job \(other) has waited for too long")
      }
    }
  }

  /// A job was started out of the line.
  mutating func noteStart(of member: Member, at now: Instant) {
    noteLine(at: now)
    for (kind, line) in lines {
      let started = member.kind
      let isInPlace =
        kind.lane.shares(with: started.lane)
        || kind.lane.engine == nil && started.lane.engine == nil
          && !kind.needs.isDisjoint(with: started.needs)
      if kind.priority > started.priority, isInPlace { turns[kind]?.overtakings += 1 }
      guard kind.lane == started.lane, kind.priority == started.priority,
        let first = line.first.flatMap({ members[$0] }),
        first.position > member.position
      else { continue }
      turns[kind] = Turn(since: now)
    }
    liftedBefore.formIntersection(lifted(at: now))
  }

  /// The jobs in line that may go ahead of all priorities.
  func lifted(at now: Instant) -> Set<JobNumber> {
    Set(lines.values.compactMap(\.first).filter { isLifted($0, at: now) })
  }

  private func isLifted(_ number: JobNumber, at now: Instant) -> Bool {
    guard let member = members[number], lines[member.kind]?.first == number,
      member.kind.priority != .high
    else { return false }
    return lines.contains { kind, line in
      guard kind.lane == member.kind.lane, kind.priority == member.kind.priority,
        let turn = turns[kind],
        let first = line.first.flatMap({ members[$0] })
      else { return false }
      return turn.overtakings >= configuration.maximumOvertakes
        && now - turn.since >= configuration.liftAfter && first.position >= member.position
    }
  }
}

extension World.Member {
  var kind: World.Kind {
    World.Kind(lane: lane, priority: submission.options.priority, needs: demand.kinds)
  }

  var lane: World.Lane {
    World.Lane(group: submission.options.group, engine: submission.options.engine)
  }
}
