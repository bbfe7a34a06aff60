// What is known of other machines, and when they are asked.
extension Scheduler {
  /// Another machine has told about itself, or is lost: jobs that it has stay its own, and it gets no others.
  mutating func apply(_ survey: Survey, of name: String, at now: Instant) {
    guard machines[name] != nil else { return }
    machines[name]?.askedAt = nil
    machines[name]?.isOverdue = false
    admissionDue = true
    switch survey {
    case .silent(let why):
      machines[name]?.isReached = false
      machines[name]?.silence = why
    case .facts(let facts):
      machines[name]?.isReached = true
      machines[name]?.silence = nil
      if machines[name]?.ledger.apply(facts, at: now) ?? false { refuseImpossible(at: now) }
    }
  }

  /// Keeps what jobs hold on machines that are no longer configured.
  mutating func setMachines() {
    let named = Set(lanes.pools.values.joined()).subtracting([MachineName.here])
    for name in named where machines[name] == nil {
      machines[name] = Machine(factsKeep: configuration.factsKeep)
    }
    for name in machines.keys.sorted()
    where !named.contains(name) && machines[name]?.ledger.isUnused ?? true {
      machines[name] = nil
    }
  }

  /// Remembers which machines a waiting job must hear of.
  mutating func want(_ lacks: [MachineLack]) {
    for entry in lacks where entry.lack?.isMeasured ?? false {
      if entry.machine == MachineName.here {
        probeWanted = true
      } else {
        surveysWanted.insert(entry.machine)
      }
    }
  }

  /// The same for a job that stays with its machine.
  mutating func wantMachine(of index: Int) {
    guard let machines = pool(ofJobAt: index) else { return }
    want(lacks(of: table[index].submission.options, on: machines, at: latest))
  }

  /// Has those asked that nobody has asked yet, though the job may start elsewhere: the next may need them.
  mutating func wantUnreached(_ lacks: [MachineLack]) {
    for entry in lacks {
      if case .unknown([]) = entry.lack { surveysWanted.insert(entry.machine) }
    }
  }

  /// Asks the machines whose facts are due, in the order of their names.
  mutating func planSurveys(at now: Instant) {
    surveyDue = nil
    if isShuttingDown || surveysWanted.isEmpty { return }
    for name in surveysWanted.sorted() {
      guard var machine = machines[name] else { continue }
      var due = machine.surveyDue(at: now, every: configuration.probeInterval)
      if due <= now {
        if machine.askedAt != nil, !machine.isOverdue {
          machine.isOverdue = true
          admissionDue = admissionDue || !slotsKept.isEmpty
        }
        outbox.act(.survey(name))
        machine.askedAt = now
        machines[name] = machine
        due = now + configuration.probeInterval
      }
      surveyDue = earliest(surveyDue, due)
    }
  }

  /// Whether jobs wait or run for which this machine may be chosen.
  package func needs(_ machine: String) -> Bool {
    lanes.lanes.contains { lane in
      lane.jobs > 0
        && (lane.owner.engine.flatMap { lanes.pools[$0] }?.contains(machine) ?? false)
    }
  }

  /// Whether a machine is chosen for such a job, or was, and its resources are counted there.
  package func choosesMachine(for options: Submission.Options) -> Bool {
    pool(of: options) != nil
  }

  /// The machines of a pool or a host, in their order; nil = the engine is neither.
  package func machines(of engine: String) -> [String]? { lanes.pools[engine] }

  /// Slots of a machine of a pool that are taken.
  package func slotsUsed(on machine: String) -> Int { lanes.slotsUsed(on: machine) }

  package func slots(on machine: String) -> Int { lanes.slots(on: machine) }

  /// The job that leases a GPU of another machine.
  package func holder(ofGPU uuid: String, on machine: String) -> JobNumber? {
    ledger(of: machine)?.leases[uuid]
  }

  /// What jobs have reserved on a machine.
  package func reserved(on machine: String) -> (processors: Int, memoryBytes: UInt64) {
    guard let ledger = ledger(of: machine) else { return (0, 0) }
    return (ledger.counted.held[CountedNeed.processors] ?? 0, ledger.memoryReserved)
  }

  /// The last facts of another machine, if it can be reached; else why it cannot.
  package func survey(of machine: String) -> Survey? {
    guard let other = machines[machine] else { return nil }
    if let why = other.silence { return .silent(why) }
    return other.isReached ? other.ledger.facts.map { .facts($0) } : nil
  }

  /// Whether the last answer of a machine is fresh enough to decide about a submission.
  package func isKnown(_ machine: String, within span: Interval, at now: Instant) -> Bool {
    guard let other = machines[machine], other.silence == nil else { return true }
    return other.isReached && other.ledger.factsAt.map { now - $0 <= span } ?? false
  }
}

extension ResourceLedger {
  /// Whether no job holds anything.
  fileprivate var isUnused: Bool {
    leases.isEmpty && memoryReserved == 0 && counted.held.isEmpty
  }
}
