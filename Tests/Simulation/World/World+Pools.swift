import JobCore

// Machines of pools: what is taken there is there, and what has begun there stays.
extension World {
  mutating func take(_ survey: Survey, of machine: String) {
    switch survey {
    case .silent: silent.insert(machine)
    case .facts(let facts):
      silent.remove(machine)
      factsElsewhere[machine] = facts
    }
  }

  /// What the machine has that a job runs on.
  func facts(for member: Member) -> MachineFacts? {
    member.engine == nil ? facts : factsElsewhere[member.engine ?? ""]
  }

  /// The machine that was chosen for a job is one of its pool, can be reached, and has a slot.
  mutating func checkMachine(of number: JobNumber) {
    guard let machine = chosen[number], let member = members[number] else { return }
    members[number]?.machine = machine
    let machines = Dice.pools[member.submission.options.engine ?? ""] ?? []
    if !machines.contains(machine) { deny("job \(number) is launched on \(machine)") }
    if silent.contains(machine) {
      deny("job \(number) is launched on \(machine), which cannot be reached")
    }
    if let home = member.home, home != machine {
      deny("job \(number) has begun on \(home), and is launched on \(machine)")
    }
  }

  /// Slots of an engine, or here of jobs without a group, that jobs are known to have.
  func slotHolders(on engine: String?) -> Int {
    members.values.reduce(0) { sum, member in
      let isThere =
        member.machine != nil || member.lane.group == nil || engine != nil
        ? member.engine == engine : false
      return isThere && holdsSlot(member) ? sum + member.share : sum
    }
  }

  /// Slots of the largest machine on which a job may run.
  func largestRoom(of member: Member) -> Int {
    guard let engine = member.submission.options.engine else { return .max }
    let machines = member.home.map { [$0] } ?? Dice.pools[engine] ?? [engine]
    return machines.map { $0 == MachineName.here ? configuration.slots : engines[$0] ?? 0 }.max()
      ?? 0
  }
}
