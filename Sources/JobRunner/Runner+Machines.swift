import JobCore
import JobRuntime
import JobWire
import LinuxSystem

// Submissions and questions that concern several machines.
extension Runner {
  /// Sends an event to the core once the machines on which its jobs may run are known: what none of them can
  /// ever give is refused at once, and a job that starts now or never needs to know what is free now.
  func askOnceKnown(_ event: Event, _ options: Submission.Options) {
    let machines = options.engine.flatMap { core.machines(of: $0) } ?? []
    let isUrgent = options.strategy == .fail
    if !isUrgent, options.requirements.isEmpty { return ask(event) }
    let age: Interval = isUrgent ? .seconds(2) : .seconds(24 * 60 * 60)
    let unknown = machines.filter {
      $0 == EngineName.here
        ? !machine.isFresh : !core.isKnown($0, within: age, at: .now())
    }
    survey(unknown) { [unowned self] in ask(event) }
  }

  /// Answers what each machine of a pool has, once all have told that can.
  func report(on engine: String, to origin: RequestOrigin) throws(WireError) {
    guard configuration.engines[engine] != nil else {
      throw WireError(.usage, EngineName.unknown(engine, among: Array(configuration.engines.keys)))
    }
    guard let machines = core.machines(of: engine) else {
      throw WireError(
        .unavailable, "\(engine) has a queue of its own, and its nodes are not known here")
    }
    connections.registerPending(origin)
    survey(machines) { [unowned self] in
      // What came with the answers is in the core only after this turn.
      settle()
      guard let client = connections.completePending(to: origin) else { return }
      send(.ok(id: origin.id, .machines(machines.map(describe))), to: client)
      for name in machines where name != EngineName.here { engines.letGoIfIdle(name) }
    }
  }

  private func describe(_ name: String) -> MachineReport {
    var machine = MachineReport(
      name, slotsTotal: core.slots(on: name), slotsUsed: core.slotsUsed(on: name))
    if name != EngineName.here {
      switch core.survey(of: name) {
      case .silent(let why): machine.trouble = why
      case .facts: machine.resources = engines.reports[name]
      case nil: machine.trouble = "it has not answered yet"
      }
    } else {
      machine.resources = self.machine.report
    }
    let reserved = core.reserved(on: name)
    machine.resources?.processorsReserved = reserved.processors
    machine.resources?.memory.reservedBytes = reserved.memoryBytes
    for index in machine.resources?.devices.indices ?? 0..<0 {
      let uuid = machine.resources?.devices[index].uuid ?? ""
      machine.resources?.devices[index].leasedBy = core.holder(ofGPU: uuid, on: name)
    }
    return machine
  }

  /// Asks machines about themselves; `body` is called once all have answered that can.
  func survey(_ machines: [String], then body: @escaping () -> Void) {
    if machines.isEmpty { return body() }
    inquiries.wait(for: machines, then: body)
    for name in machines {
      if name == EngineName.here {
        machine.look { [unowned self] _ in inquiries.answer(of: name) }
      } else {
        engines.survey(name)
      }
    }
  }
}
