extension Scheduler {
  /// The invariants that fail between two events; one sentence for each.
  ///
  /// For tests: it checks every job. An empty result after every step of long random runs proves that no
  /// resource is leaked or held twice, and no job is forgotten or woken up in vain.
  package var violatedInvariants: [String] {
    var broken: [String] = []
    let indices = liveNumbers.compactMap { table.index(of: $0) }
    let jobs = indices.map { table[$0] }
    checkLedger(jobs, &broken)
    checkQueue(jobs, &broken)
    checkDeadlines(jobs, at: indices, &broken)
    checkNames(jobs, &broken)
    checkSchedule(jobs, &broken)
    checkPrerequisites(jobs, &broken)
    checkPauses(jobs, &broken)
    return broken
  }

  /// Jobs that wait for a job that is gone, and so would wait for ever; none after any event but a restore,
  /// which may be followed by others.
  package var waitingInVain: [JobNumber] {
    prerequisites.waiting.sorted().filter { number in
      prerequisites.awaited(by: number).elements.contains { table.index(of: $0) == nil }
    }
  }

  private func checkLedger(_ jobs: [Job], _ broken: inout [String]) {
    let holders =
      jobs.reduce(0) { $1.engine == nil ? $0 + $1.lease.slotsHeld : $0 }
      + lingering.values.reduce(0) { $0 + $1.slotsHeld }
    for (lane, state) in lanes.lanes.enumerated() {
      let held =
        jobs.reduce(0) { $1.lease.lane == lane ? $0 + $1.lease.slotsHeld : $0 }
        + lingering.values.reduce(0) { $1.lane == lane ? $0 + $1.slotsHeld : $0 }
      let members =
        jobs.count { $0.lane == lane } + lingering.values.count { $0.lane == lane }
      if held != state.slotsUsed || members != state.jobs {
        broken.append(
          "lane \(lane) has \(state.jobs) jobs with \(state.slotsUsed) slots, and"
            + " \(members) with \(held) are there")
      }
    }
    if holders != lanes.slotsUsedHere {
      broken.append("\(lanes.slotsUsedHere) slots are used, and \(holders) jobs hold one")
    }
    checkPools(jobs, &broken)
    let ours = jobs.filter { $0.lease.machine ?? MachineName.here == MachineName.here }
    for job in jobs where job.lease.machine.map({ $0 != job.machine }) ?? false {
      broken.append("job \(job.number) holds something on a machine where it does not run")
    }
    var leased = 0
    var reserved: UInt64 = 0
    for job in ours {
      leased += job.lease.gpus.count
      reserved = reserved.addedHeld(job.lease.memoryBytes)
      for uuid in job.lease.gpus where ledger.leases[uuid] != job.number {
        broken.append("job \(job.number) holds \(uuid), and the ledger does not know")
      }
      if let engine = job.engine, !job.lease.gpus.isEmpty || job.lease.memoryBytes > 0 {
        broken.append("job \(job.number) is with \(engine) and holds something here")
      }
    }
    for job in jobs where !job.isActive && job.lease != Lease() {
      broken.append("job \(job.number) waits and holds something")
    }
    for (number, lease) in lingering {
      leased += lease.gpus.count
      reserved = reserved.addedHeld(lease.memoryBytes)
      for uuid in lease.gpus where ledger.leases[uuid] != number {
        broken.append("job \(number) still holds \(uuid), and the ledger does not know")
      }
      if table.index(of: number) != nil { broken.append("job \(number) lingers and lives") }
    }
    for (lane, told) in slotsTaken
    where told != PendingReason(currentSlotHolders(of: lanes.lanes[lane].owner)) {
      broken.append("those in line are told that \(told.message), which is not so any more")
    }
    checkCounted(jobs, &broken)
    if leased != ledger.leases.count {
      broken.append("\(ledger.leases.count) GPUs are leased, and jobs hold \(leased)")
    }
    if reserved != ledger.memoryReserved {
      broken.append("\(ledger.memoryReserved) B are reserved, and jobs hold \(reserved)")
    }
  }

  /// What other machines have given, and the slots of pools.
  private func checkPools(_ jobs: [Job], _ broken: inout [String]) {
    for (name, machine) in machines {
      let there = jobs.filter { $0.lease.machine == name }
      let gpus = there.flatMap { job in job.lease.gpus.map { ($0, job.number) } }
      if gpus.count != machine.ledger.leases.count
        || gpus.contains(where: { machine.ledger.leases[$0.0] != $0.1 })
      {
        broken.append("\(machine.ledger.leases) are leased on \(name), and jobs hold \(gpus)")
      }
      let memory = there.reduce(UInt64(0)) { $0.addedHeld($1.lease.memoryBytes) }
      if memory != machine.ledger.memoryReserved {
        broken.append("\(machine.ledger.memoryReserved) B of \(name) are reserved, not \(memory)")
      }
      var held: [String: Int] = [:]
      for need in there.flatMap({ $0.lease.counted }) { held[need.name, default: 0] += need.count }
      if held != machine.ledger.counted.held {
        broken.append(
          "\(machine.ledger.counted.held) of \(name) are reserved, and jobs hold \(held)")
      }
    }
    for name in Set(lanes.pools.values.joined()) where name != MachineName.here {
      let held = jobs.reduce(0) {
        ($1.lease.machine ?? $1.engine) == name ? $0 + $1.lease.slotsHeld : $0
      }
      if held != lanes.slotsUsed(on: name) {
        broken.append("\(lanes.slotsUsed(on: name)) slots of \(name) are used, not \(held)")
      }
    }
  }

  private func checkCounted(_ jobs: [Job], _ broken: inout [String]) {
    var held: [String: Int] = [:]
    let ours = jobs.map { $0.lease }.filter { $0.machine ?? MachineName.here == MachineName.here }
    for lease in ours + lingering.values {
      for need in lease.counted { held[need.name, default: 0] += need.count }
    }
    if held != ledger.counted.held {
      broken.append("\(ledger.counted.held) are reserved, and jobs hold \(held)")
    }
    let wide = jobs.count { $0.submission.options.isWide }
    if wide != wideCount { broken.append("\(wideCount) jobs are wide, and \(wide) are there") }
  }

  private func checkQueue(_ jobs: [Job], _ broken: inout [String]) {
    for job in jobs {
      let inLine = lines[Int(job.lane)].contains(job.place, job.row)
      let aside = delayed.contains(job.number)
      let runs = active.contains(job.number)
      let expected =
        switch job.phase {
        case .inLine: (true, false, false)
        case .delayed, .after, .awaiting, .scheduled, .held: (false, true, false)
        case .launching, .away, .running, .stalled, .paused, .stopping: (false, false, true)
        }
      if (inLine, aside, runs) != expected {
        broken.append("job \(job.number) is in the wrong list for \(job.phase)")
      }
      if case .after(let predecessor) = job.phase { checkLink(job.number, predecessor, &broken) }
      let isPutAside = if case .held = job.phase { true } else { false }
      if job.submission.isHeld ? inLine || runs : isPutAside {
        broken.append("job \(job.number) is held or not, and \(job.phase)")
      }
    }
    if queuedCount + active.count != table.count {
      broken.append("the lists hold other jobs than the table")
    }
    if let ready = firstReady(at: latest), !admissionDue {
      broken.append("job \(ready) could run and waits")
    }
  }

  private func checkLink(
    _ number: JobNumber, _ predecessor: JobNumber, _ broken: inout [String]
  ) {
    guard let before = table.index(of: predecessor) else {
      broken.append("job \(number) waits for job \(predecessor), which is gone")
      return
    }
    if table[before].successor != number {
      broken.append("job \(number) waits for job \(predecessor), which does not know")
    }
  }

  private func checkDeadlines(_ jobs: [Job], at indices: [Int], _ broken: inout [String]) {
    var due = 0
    for (job, index) in zip(jobs, indices) {
      let expected = job.nextDue
      if expected != nil { due += 1 }
      if deadlines.deadline(at: index) != expected {
        broken.append("the deadline of job \(job.number) is not what is due next")
      }
    }
    if due != deadlines.count { broken.append("a deadline is left of a job that is gone") }
    if table.count == 0, nextDeadline != nil { broken.append("an idle core has a deadline") }
  }

  private func checkNames(_ jobs: [Job], _ broken: inout [String]) {
    for job in jobs {
      if table.job(withKeyOf: job.terms) == nil {
        broken.append("job \(job.number) is not found by its key")
      }
      guard let named = table.job(withIdentifierOf: job.terms) else {
        broken.append("job \(job.number) is not found by its identifier")
        continue
      }
      if named != job.number, job.successor != named {
        broken.append("job \(named) hides job \(job.number), which has the same identifier")
      }
    }
  }

  private func checkPauses(_ jobs: [Job], _ broken: inout [String]) {
    for job in jobs {
      if (job.pause != nil) != (job.pauseMark % 2 == 1) {
        broken.append("job \(job.number) is paused and not marked so, or the reverse")
      }
      if let pause = job.pause, pause.keepsSlot != job.lease.hasSlot {
        broken.append("job \(job.number) is paused and has a slot that it gave back, or lost one")
      }
      if resuming.contains(job.number) != (job.pause?.waits != nil) {
        broken.append("job \(job.number) is in the wrong list for going on")
      }
      if let pause = job.pause, pause.until != nil, pause.waits != nil {
        broken.append("job \(job.number) goes on later, and already waits to go on")
      }
    }
    for job in jobs
    where resuming.contains(job.number) && !admissionDue
      && table.index(of: job.number).map({ hasRoomToGoOn($0) }) ?? false
    {
      broken.append("job \(job.number) could go on and waits")
    }
    if !pausesAtStart.isEmpty, jobs.allSatisfy({ !$0.isLaunching }) {
      broken.append("a pause waits for a start that does not come")
    }
  }

  private func checkSchedule(_ jobs: [Job], _ broken: inout [String]) {
    var scheduled: [JobNumber] = []
    for job in jobs {
      let number = job.number
      if case .scheduled = job.phase { scheduled.append(number) }
      if requests.contains(number) != job.submission.options.kind.isScheduled {
        broken.append("job \(number) is counted wrongly among the scheduled requests")
      }
      if conditioned.contains(number), !job.isActive {
        broken.append("job \(number) waits, and its conditions are watched")
      }
    }
    for number in putOff.keys where !scheduled.contains(number) {
      broken.append("job \(number) is put off, and not on the agenda")
    }
    if agenda.numbers.sorted() != scheduled {
      broken.append("the agenda holds \(agenda.numbers), and \(scheduled) wait for their time")
    }
  }

  private func checkPrerequisites(_ jobs: [Job], _ broken: inout [String]) {
    broken += prerequisites.disagreements
    if !awaitedEnds.isEmpty { broken.append("an end was not told to those that wait for it") }
    for number in prerequisites.waiting where table.index(of: number) == nil {
      broken.append("job \(number) waits for others, and is gone")
    }
    for job in jobs {
      let awaited = prerequisites.awaited(by: job.number).elements
      switch job.phase {
      case .awaiting:
        if awaited.isEmpty { broken.append("job \(job.number) waits for nobody") }
      // These jobs have other conditions to wait for afterwards.
      case .after, .delayed: break
      default:
        if !awaited.isEmpty { broken.append("job \(job.number) does not wait for \(awaited)") }
      }
    }
  }
}

extension Lease {
  fileprivate var slotsHeld: Int { hasSlot ? Int(share.slots) : 0 }
}
