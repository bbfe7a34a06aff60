extension Scheduler {
  /// Ends an event: starts all jobs that can start, announces changes for those at the front, and asks for a
  /// probe where one may help.
  mutating func settle(at now: Instant) {
    repeat {
      if admissionDue {
        admissionDue = false
        admit(at: now)
        giveUpUnanswered(at: now)
        reviewHeads(at: now)
      }
      planProbe(at: now)
      planSurveys(at: now)
    } while admissionDue
  }

  /// Starts jobs in the order of the queue while slots last.
  ///
  /// A job that lacks a resource holds back all later jobs that need that resource, and no others; a job whose
  /// group has no slot holds back only jobs of its group. Held-back rows of the queue drop out, so each round
  /// looks at 96 jobs of a group at most.
  ///
  /// When only outdated facts block a job, a slot is kept for it until the probe answers: otherwise jobs
  /// without needs would take each free slot while the probe runs.
  private mutating func admit(at now: Instant) {
    slotsKept.removeAll(keepingCapacity: true)
    surveysWanted.removeAll()
    probeWanted = false
    resumeWaiting(at: now)
    if isShuttingDown || isPaused { return }
    recallPassedOver(at: now)
    for lane in lines.indices {
      lines[lane].lift(
        at: now, after: configuration.liftAfter, overtakings: configuration.maximumOvertakes)
    }
    var open = openRowsBesideResuming
    var held = HeldResources()
    // Whether free slots are kept for a job that takes several.
    var keepsSlots = false
    while let head = foremost(of: open, where: { hasSlot($0) }) {
      guard let index = table.index(of: head.number),
        needsHere(of: head).isDisjoint(with: held[MachineName.here])
      else {
        open.close(head)
        continue
      }
      if let bar = bar(on: index) {
        if case .machine = bar { wantMachine(of: index) }
        passOver(index, bar, at: now)
        continue
      }
      let options = table[index].submission.options
      let lacks = pool(ofJobAt: index).map {
        self.lacks(of: options, on: $0, beside: held, at: now)
      }
      let lacking = ledger.lacking(options.demandHere, at: now)
      if options.isWide, table[index].machine == nil,
        !hasRoom(for: share(of: options), of: options.lane),
        ledger.lacking(options.demandHere, at: now, agesMatter: false).isEmpty
      {
        open.close(head)
        close(&open, for: options)
        keepsSlots = true
        continue
      }
      let machine = lacks.flatMap { choice(among: $0, for: options) }
      if let lacks { wantUnreached(lacks) }
      let openBefore = lines.count > 1 ? lanesWithSlot(beside: head.lane) : []
      if lacks == nil ? lacking.isEmpty : machine != nil, launch(index, on: machine, at: now) {
        countStart(index)
        if lines.count > 1,
          openBefore.contains(where: { !hasSlot($0) }) || keepsSlots && !head.row.needs.isEmpty
        {
          // Looks again at the jobs that these groups held back, and at those behind a job that has just lost its
          // resources to this one.
          (open, held, keepsSlots) = (openRowsBesideResuming, HeldResources(), false)
          slotsKept.removeAll(keepingCapacity: true)
        }
        continue
      }
      if let lacks {
        if keepsSlot(lacks) { slotsKept.append(head) }
        hold(lacks, of: options.requirements, &held, at: now)
      } else {
        if keepsSlot(index, at: now) { slotsKept.append(head) }
        held[MachineName.here].formUnion(lacking.isEmpty ? needsHere(of: head) : lacking)
      }
      open.close(head)
    }
  }

  /// The lane, and the others with a slot that a job of this one may take on a machine of its pool.
  private func lanesWithSlot(beside lane: Int) -> [Int] {
    if lanes.pools.isEmpty { return [lane] }
    let owner = lanes.lanes[lane].owner
    return lines.indices.filter {
      $0 == lane || !lines[$0].isEmpty && hasSlot($0) && lanes.shares($0, with: owner)
    }
  }

  /// The rows that may start beside paused jobs for which the free slots of their lines are kept.
  private var openRowsBesideResuming: OpenRows {
    var open = openRows
    guard wideCount > 0 else { return open }
    for lane in open.rows.indices
    where firstToGoOn(in: lanes.lanes[lane].owner) != nil { open.closeLane(lane) }
    return open
  }

  /// Resumes paused jobs that wait for a slot: they came first, and others lack the resources they still hold.
  private mutating func resumeWaiting(at now: Instant) {
    for number in resuming.elements {
      guard let index = table.index(of: number), hasRoomToGoOn(index) else { continue }
      goOn(index, at: now)
    }
  }

  /// Moves a job out of the way of those behind it; the first of its sort announces the reason.
  private mutating func passOver(_ index: Int, _ bar: Bar, at now: Instant) {
    if case .budget = bar, leaveLine(index) { return wait(index, announcing: .queued, at: now) }
    let isFirst = lines[lane(index)].putAside(table[index].place, sort(index), at: now)
    guard isFirst, case .inLine(let announced) = table[index].phase, announced != bar.code else {
      return
    }
    table[index].phase = .inLine(bar.code)
    outbox.announce(
      table[index].number, .queued, .queued(PendingReason(bar.code, bar.sentence)))
  }

  /// Whether a slot is kept for a job until the probe answers; not when the probes did not in time.
  private func keepsSlot(_ index: Int, at now: Instant) -> Bool {
    let demand = table[index].submission.options.demandHere
    guard !probeOverdue, ledger.ownLack(of: demand) == nil else { return false }
    return ledger.measuredLack(of: demand, at: now)?.isUnknown ?? false
  }

  /// Starts one job, on the machine that was chosen for it; false when the ledger could not provide its
  /// resources after all.
  mutating func launch(_ index: Int, on machine: String? = nil, at now: Instant) -> Bool {
    let number = table[index].number
    let machine = if let machine { machine } else { choiceNow(index, at: now) }
    if machine == nil, pool(ofJobAt: index) != nil { return false }
    guard var lease = grant(index, on: machine) else { return false }
    lease.machine = machine
    let share = share(ofJobAt: index)
    takeSlot(share, in: lane(index), for: &lease)
    table[index].machine = machine
    if leaveLine(index) {
      noteStart(index, at: now)
    } else {
      leaveWaiting(index)
    }
    table[index].phase = .launching
    table[index].conditionLostAt = nil
    table[index].lease = lease
    table[index].watch = Watch(from: now, stallTimeout: table[index].submission.options.stallAfter)
    active.insert(number)
    if isConditioned(index) { conditioned.insert(number) }
    if table[index].submission.options.kind == .push {
      pushRests.noteLaunch(of: table[index].submission.identifier, at: now)
    }
    noteSlots(of: lane(index))
    outbox.announce(number, .launched, .launching)
    outbox.launch(number, attempt: table[index].attempt, gpus: lease.gpus)
    notePace(index, at: now)
    return true
  }

  private mutating func grant(_ index: Int, on machine: String?) -> Lease? {
    let (number, options) = (table[index].number, table[index].submission.options)
    guard let machine else { return ledger.grant(options.demandHere, to: number) }
    return machine == MachineName.here
      ? ledger.grant(options.requirements, to: number)
      : machines[machine]?.ledger.grant(options.requirements, to: number)
  }

  /// Announces a new reason for waiting for the first job of each row whose reason is of another kind
  /// than the one announced last: at most 96 announcements a group, however long the queue is.
  private mutating func reviewHeads(at now: Instant) {
    var open = openRows
    while let head = foremost(of: open) {
      open.close(head)
      let number = head.number
      guard let index = table.index(of: number), case .inLine(let announced) = table[index].phase
      else { continue }
      let lack = lack(ofJobAt: index, at: now)
      if case .barred(let bar) = lack, case .budget = bar {
        passOver(index, bar, at: now)
        continue
      }
      if case .noMachine(_, let lacks) = lack {
        want(lacks)
      } else if case .barred(.machine) = lack {
        wantMachine(of: index)
      } else if let lack, lack.isMeasured {
        probeWanted = true
      }
      let code = lack?.code ?? .slots
      guard code != announced else { continue }
      table[index].phase = .inLine(code)
      outbox.announce(number, .queued, .queued(reasonInLine(index, at: now)))
    }
  }

  /// Asks for a probe when one is due, and schedules the next.
  private mutating func planProbe(at now: Instant) {
    guard probeWanted || !conditioned.isEmpty, !isShuttingDown else {
      probeDue = nil
      return
    }
    let due = nextProbe(at: now)
    guard due <= now else {
      probeDue = due
      return
    }
    if probeAskedAt != nil, !probeOverdue {
      probeOverdue = true
      admissionDue = !slotsKept.isEmpty
    }
    outbox.act(.probe)
    probeAskedAt = now
    probeDue = now + configuration.probeInterval
  }

  /// Now if there are no recent facts; otherwise one interval after the last probe or request, or sooner if
  /// that probe raised a suspicion.
  private func nextProbe(at now: Instant) -> Instant {
    if let probeAskedAt { return probeAskedAt + configuration.probeInterval }
    guard let factsAt = ledger.factsAt, ledger.isRecent(at: now), !ledger.isDoubtful else {
      return now
    }
    return factsAt + (isConditionSuspected ? Watch.confirmation : configuration.probeInterval)
  }
}
