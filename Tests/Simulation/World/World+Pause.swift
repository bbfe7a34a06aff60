import JobCore

// A paused job is stopped, has released its slot unless it keeps it, and is resumed before it is told to end.
extension World {
  /// A pause begins or is over.
  mutating func notePause(_ number: JobNumber, _ announcement: Announcement, at now: Instant) {
    guard let member = members[number] else { return }
    members[number]?.isLaunching =
      announcement.state == .launching && member.engine == nil
    if announcement.kind == .started { noteStart(of: number, at: now) }
    guard case .paused(let pause) = announcement.state else { return leavePause(number, now) }
    if announcement.kind != .paused { deny("job \(number) is \(announcement.text)") }
    if member.pause == nil, pause.since != now { deny("job \(number) was paused before") }
    members[number]?.pause = pause
    members[number]?.mayLackSlot = !pause.keepsSlot
  }

  private mutating func noteStart(of number: JobNumber, at now: Instant) {
    members[number]?.startedAt = now
    members[number]?.pausedFor = .zero
  }

  private mutating func leavePause(_ number: JobNumber, _ now: Instant) {
    guard let pause = members[number]?.pause else { return }
    members[number]?.pause = nil
    // It is checked anew.
    members[number]?.conditionLostAt = nil
    if pause.keepsSlot { gaveSlotAway.remove(number) } else { gaveSlotAway.insert(number) }
    if let paused = members[number]?.pausedFor {
      members[number]?.pausedFor = paused + (now - pause.since)
    }
  }

  /// A resumed job has a slot again.
  mutating func freeze(_ number: JobNumber, _ isFrozen: Bool) {
    if !isActive(number) { deny("job \(number) is paused or goes on, and does not run") }
    members[number]?.isFrozen = isFrozen
    guard !isFrozen, members[number]?.stage == .active(stopping: false),
      gaveSlotAway.contains(number)
    else { return }
    members[number]?.mayLackSlot = false
    guard let member = members[number] else { return }
    let lane = member.lane
    // One that takes several goes on alone where there are fewer by now (`hasRoomToGoOn`).
    if slotHolders(of: lane) > max(slots(of: lane), member.share) {
      deny("job \(number) goes on, and \(slotHolders(of: lane)) jobs have slots")
    }
  }

  /// Jobs that are known to have one.
  func slotHolders(of lane: Lane) -> Int { slotHolders { $0 == lane } }

  func slotHolders(where isMeant: (Lane) -> Bool) -> Int {
    members.values.reduce(0) { sum, member in
      isMeant(member.lane) && holdsSlot(member) ? sum + member.share : sum
    }
  }

  func holdsSlot(_ member: Member) -> Bool {
    if case .active = member.stage { return !member.mayLackSlot }
    return member.lingers && !member.mayLackSlot
  }

  /// Slots that a job takes that is launched now.
  func share(of member: Member) -> Int {
    min(
      member.submission.options.slots, max(1, min(largestRoom(of: member), slots(of: member.lane))))
  }

  func slots(of lane: Lane) -> Int {
    let own = lane.group.flatMap { groupSlots[$0] }
    return own ?? (lane.engine == nil ? configuration.slots : .max)
  }

  /// Time in which a job was paused does not count towards its limit; a simulated expiry comes before it.
  mutating func checkLimit(
    of number: JobNumber, _ reason: StopReason, by event: Event, at now: Instant
  ) {
    if case .simulate(_, number, .expire) = event { return }
    guard reason.code == .limit, let member = members[number], let startedAt = member.startedAt,
      member.attempt == 1, let limit = member.submission.options.limit,
      // Clocks end somewhere.
      now.nanoseconds < .max / 2
    else { return }
    if (now - startedAt).less(member.pausedFor) < limit {
      deny("job \(number) is stopped before its limit, its pauses not counted")
    }
  }

  /// After each event: the shown pauses match the commands.
  mutating func checkPauses() {
    for (number, member) in members where member.isFrozen != (member.pause != nil) {
      if member.stage == .ended { continue }
      deny("job \(number) is \(member.isFrozen ? "stopped and not" : "not stopped and") paused")
    }
    for (tag, number) in owed where members[number]?.isLaunching != true {
      deny("request \(tag) about job \(number) is not answered")
    }
  }
}
