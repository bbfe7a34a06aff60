import JobCore

extension World {
  /// A job that is launched takes a slot that is there, at its turn.
  mutating func checkTurn(of number: JobNumber, at now: Instant) {
    checkMachine(of: number)
    guard let member = members[number] else { return }
    if member.submission.isHeld { deny("job \(number) is launched, and was to be held") }
    checkSettings(of: number, member)
    checkRest(of: number, member, at: now)
    if member.stage == .inLine, !member.isLaunchedEarly {
      checkOvertaking(by: number, member, at: now)
    }
    members[number]?.stage = .active(stopping: false)
    let share = share(of: member)
    members[number]?.share = share
    if member.stage != .aside || !member.isLaunchedEarly { noteStart(of: member, at: now) }
    checkApart(number, member, at: now)
    if member.isLaunchedEarly {
      members[number]?.mayLackSlot = true
      return
    }
    if isRunnerPaused { deny("job \(number) is launched, and nothing may start") }
    if let group = member.submission.options.group, pausedGroups.contains(group) {
      deny("job \(number) is launched, and nothing of its group may start")
    }
    checkAloneness(of: number, member)
    checkTime(of: number, member)
    checkPace(of: number, member)
    // It is already in that lane.
    let lane = member.lane
    if slotHolders(of: lane) > slots(of: lane) {
      deny("job \(number) is launched, and \(slotHolders(of: lane)) jobs have slots")
    }
    if member.engine == nil, member.machine != nil || member.lane.group == nil,
      slotHolders(on: nil) > configuration.slots
    {
      deny("job \(number) is launched, and \(slotHolders(on: nil)) jobs have slots here")
    }
    if let engine = member.engine {
      let count = slotHolders(on: engine)
      if count > engines[engine] ?? 0 {
        deny("job \(number) is launched, and \(count) attempts are with \(engine)")
      }
    }
    for (other, paused) in members
    where paused.pause?.waits != nil && paused.lane == lane && paused.machine == member.machine {
      deny("job \(number) is launched, and job \(other) waits for a slot to go on")
    }
  }

  /// Jobs that are to start one after another keep the pause between two starts.
  private mutating func checkApart(_ number: JobNumber, _ member: Member, at now: Instant) {
    guard let gap = member.submission.options.startsApart else { return }
    let stem = member.submission.stem
    if !member.isLaunchedEarly, let last = lastStarts[stem], now < last + gap {
      deny("job \(number) is launched \((now - last).words) after another of its submission")
    }
    lastStarts[stem] = now
  }

  /// Whether a job may have to wait for the pause after a start of its submission.
  func mayRest(_ submission: Submission, at now: Instant) -> Bool {
    guard let gap = submission.options.startsApart else { return false }
    guard let last = lastStarts[submission.stem] else {
      return restoredStems.contains(submission.stem)
    }
    return now < last + gap
  }

  /// No job runs beside an exclusive one.
  private mutating func checkAloneness(of number: JobNumber, _ member: Member) {
    for (other, running) in members
    where other != number && running.engine == member.engine && holdsSlot(running)
      && (running.submission.options.isExclusive || member.submission.options.isExclusive)
    {
      deny("job \(number) is launched beside job \(other), and one of them is to run alone")
    }
  }

  /// Reservations of a counted resource never exceed its total.
  private mutating func checkCounted(for number: JobNumber, _ demand: Requirements) {
    guard demand.processors > 0, let member = members[number],
      let facts = facts(for: member), facts.processors > 0
    else { return }
    let reserved = neighbours(of: member).reduce(0) { $0 + $1.demandThere.processors }
    if reserved > facts.processors {
      impossible.append("job \(number) is launched, and \(reserved) processors are reserved")
    }
  }

  /// An attempt that was reported as started is never repeated because its traces are lost.
  mutating func checkBegunOnce(
    _ number: JobNumber, _ announcement: Announcement, by event: Event
  ) {
    switch announcement.state {
    case .running, .stalled, .paused: members[number]?.hasBegun = true
    case .queued:
      if members[number]?.hasBegun == true, case .finished(number, _, let end) = event,
        end.status == .revoked
      {
        deny("job \(number) was told as started, and is begun anew")
      }
      members[number]?.hasBegun = false
    case .away, .launching, .stopping, .ended: break
    }
  }

  /// The launch itself: the right attempt, with free GPUs.
  mutating func launch(_ number: JobNumber, attempt: Int, gpus: [String]) {
    guard let member = members[number], isActive(number) else {
      impossible.append("job \(number) is launched, and waits or has ended")
      return
    }
    if attempt <= member.attempt {
      impossible.append("attempt \(attempt) of job \(number) follows on \(member.attempt)")
    }
    members[number]?.attempt = attempt
    let demand = member.demandThere
    if gpus.count != demand.gpuCount || Set(gpus).count != gpus.count {
      impossible.append("job \(number) gets \(gpus), and needs \(demand.gpuCount) GPUs")
    }
    for uuid in gpus { check(uuid, for: number, demand) }
    members[number]?.gpus = gpus
    checkCounted(for: number, demand)
    checkMemory(for: number, demand)
  }

  /// All that hold resources of the machine of a job, itself included.
  private func neighbours(of member: Member) -> [Member] {
    members.keys.filter(holds).compactMap { members[$0] }.filter { $0.engine == member.engine }
  }

  private mutating func check(_ uuid: String, for number: JobNumber, _ demand: Requirements) {
    guard let member = members[number] else { return }
    for (other, holder) in members
    where other != number && holder.gpus.contains(uuid) && holder.engine == member.engine {
      impossible.append("jobs \(other) and \(number) both have \(uuid)")
    }
    guard let gpu = facts(for: member)?.gpus.first(where: { $0.uuid == uuid }) else {
      impossible.append("job \(number) gets \(uuid), which is not there")
      return
    }
    if gpu.processes > 0 || gpu.memoryFreeBytes < demand.gpuMemoryBytes {
      impossible.append("job \(number) gets \(uuid), which is used by others")
    }
  }

  private mutating func checkMemory(for number: JobNumber, _ demand: Requirements) {
    guard demand.memoryBytes > 0, let member = members[number],
      let facts = facts(for: member)
    else { return }
    let reserved = neighbours(of: member).reduce(0) { $0 + $1.demandThere.memoryBytes }
    if reserved > facts.memoryTotalBytes {
      impossible.append("job \(number) is launched, and \(reserved) bytes are reserved")
    }
    if demand.memoryBytes > facts.memoryAvailableBytes {
      impossible.append("job \(number) is launched into memory that is in use")
    }
  }

  /// Announcements, replies, actions, launches.
  mutating func checkOrder(_ effects: [Effect]) {
    let ranks = effects.map { effect in
      switch effect {
      case .announce: 0
      case .reply: 1
      case .stop, .kill, .pause, .resume, .sample, .probe, .survey, .released: 2
      case .launch: 3
      }
    }
    if ranks != ranks.sorted() {
      impossible.append("the effects are out of order: \(effects.map(\.text))")
    }
  }

  /// One answer to each request, and none to other events; pausing a job that is being launched is answered
  /// later.
  mutating func checkReplies(_ effects: [Effect], to event: Event) {
    var replies = effects.compactMap { effect -> RequestTag? in
      if case .reply(let tag, _) = effect { tag } else { nil }
    }
    for tag in event.tags {
      if let place = replies.firstIndex(of: tag) {
        replies.remove(at: place)
      } else if case .pause(_, let number, _, _) = event, members[number]?.isLaunching == true {
        owed[tag] = number
      } else {
        deny("request \(tag) is not answered")
      }
    }
    for tag in replies where owed.removeValue(forKey: tag) == nil {
      deny("\(tag) is answered, and was not asked or twice")
    }
  }
}

extension Event {
  /// The request in it, if it is one.
  fileprivate var tags: [RequestTag] {
    switch self {
    case .submit(let tag, _), .batch(let tag, _), .cancel(let tag, _, _, _),
      .cancelAll(let tag, _, _, _),
      .pause(let tag, _, _, _), .pauseAll(let tag, _, _, _), .resume(let tag, _),
      .resumeAll(let tag, _),
      .withdraw(let tag, _), .answer(let tag, _, _), .simulate(let tag, _, _),
      .redo(let tag, _, _, _, _), .hold(let tag, _), .release(let tag, _), .move(let tag, _, _),
      .edit(let tag, _, _), .start(let tag, _):
      [tag]
    case .shutdown, .machine, .surveyed, .started, .pending, .engines, .sampled, .worked, .finished,
      .hostLost,
      .deadline, .timeOfDay, .restore, .slots, .groups, .settings, .saving, .busy, .expected,
      .budget, .uses,
      .pauseRunner, .pauseGroup, .counted, .halted:
      []
    }
  }
}

extension Requirements {
  /// The resources that a job with this demand may have to wait for.
  var kinds: Set<String> {
    var kinds: Set<String> = []
    if gpuCount > 0 { kinds.insert("gpu") }
    if memoryBytes > 0 { kinds.insert("memory") }
    if diskBytes > 0 { kinds.insert("disk") }
    if network { kinds.insert("network") }
    if power { kinds.insert("power") }
    return kinds
  }
}
