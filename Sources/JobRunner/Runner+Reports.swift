import JobCore
import JobRuntime
import JobStore
import JobWire
import LinuxSystem
import MachineProbes

// Answers that wait for a probe.
extension Runner {
  /// Answers with fresh facts, after a probe.
  func report(to origin: RequestOrigin) {
    connections.registerPending(origin)
    machine.look(fromNow: true) { [unowned self] result in answerReport(to: origin, result) }
  }

  /// Sends an event to the core after a probe; the client gets an error if the probe is not possible now.
  func askWithFacts(_ event: Event, _ tag: RequestTag, fromNow: Bool) {
    machine.look(fromNow: fromNow) { [unowned self] result in
      guard case .failure(let error) = result else { return ask(event) }
      runtime.drafts.drop(tag)
      pushes.forget(tag)
      local.dropInput(under: tag)
      respond(to: tag, .failure(Self.unlooked(error)))
    }
  }

  private static func unlooked(_ error: SystemError) -> WireError {
    WireError(.cannotCreate, "the machine cannot be examined: \(error); try again later")
  }

  private func answerReport(
    to origin: RequestOrigin, _ result: Result<MachineReading, SystemError>
  ) {
    guard let client = connections.completePending(to: origin) else { return }
    let reading: MachineReading
    do throws(SystemError) {
      reading = try result.get()
    } catch {
      return send(.error(id: origin.id, Self.unlooked(error)), to: client)
    }
    var leases: [String: JobNumber] = [:]
    for number in lookup.runningNumbers {
      guard let job = liveJobs[number], job.engine == nil else { continue }
      for gpu in job.gpus { leases[gpu] = number }
    }
    var report = reading.report(
      leases: leases, slotsTotal: settings.slots,
      slotsUsed: core.slotsUsed(on: MachineName.here))
    report.processorsReserved = core.processorsReserved
    report.memory.reservedBytes = core.memoryReserved
    report.counted = core.countedResources.map {
      ResourcesReport.Counted(name: $0.name, total: $0.total, used: $0.used)
    }
    send(.ok(id: origin.id, .resources(report)), to: client)
  }

  /// Answers with the status, once it is known whether notices can be shown.
  func reportStatus(to origin: RequestOrigin) {
    connections.registerPending(origin)
    guard configuration.notices.desktop else {
      return answerStatus(
        to: origin,
        RunnerStatus.Finding(isOn: false, why: "config.json turns them off (notify.desktop)"))
    }
    notifier.find { [unowned self] finding in answerStatus(to: origin, finding) }
  }

  private func answerStatus(to origin: RequestOrigin, _ report: RunnerStatus.Finding) {
    guard let client = connections.completePending(to: origin) else { return }
    var status = status
    status.notifications = withTargets(report)
    send(.ok(id: origin.id, .status(status)), to: client)
  }

  /// Notices that are sent elsewhere need no desktop.
  private func withTargets(_ desktop: RunnerStatus.Finding) -> RunnerStatus.Finding {
    let places = configuration.notices.targets.map(\.place)
    if places.isEmpty { return desktop }
    let sentence = "sent to \(places.joined(separator: ", "))"
    return RunnerStatus.Finding(
      isOn: true,
      why: desktop.isOn
        ? "\(sentence), and shown by \(desktop.why)" : "\(sentence); none here: \(desktop.why)")
  }

  private var status: RunnerStatus {
    var status = RunnerStatus(
      pid: CurrentProcess.identifier, version: Version.text, started: lifetime.began,
      home: home.paths.stateDirectory, socket: home.socket)
    status.live = liveJobs.count
    status.queued = core.queuedCount
    status.running = lookup.runningNumbers.count
    status.slots = settings.slots
    status.slotsUsed = core.slotsUsed(on: MachineName.here)
    status.paused = core.pausedCount
    status.isHeld = core.isPaused
    status.pausedGroups = core.pausedGroups.map(\.text).sorted()
    status.keepAwake = keepAwake.status(
      jobs: core.startedByPerson(.max),
      programs: connections.all.filter { $0.keepsAwake }
        .compactMap { try? $0.connection.peer().pid }.sorted(),
      isAllowed: configuration.keepAwake)
    status.controlGroups = local.groups.report
    status.budget = core.budget.map { BudgetReport($0, core.allowances) }
    var tally = pushes.tally
    tally.subscriptions = subscriptions.tally
    status.pushes = tally
    status.connections = connections.count
    status.sequence = runtime.sequence
    status.notes = notes.all + [settings.problem].compactMap(\.self)
    return status
  }
}

// Notices of programs.
extension Runner {
  /// Shows a notice for a program, or explains why that is not possible.
  func notify(_ title: String, _ body: String, _ origin: RequestOrigin, _ client: Client) {
    let order = NoticeText.program(title, body)
    if remoteNotices.hasTargets {
      remoteNotices.add(order)
      // It is on its way, whether there is a desktop or not.
      if configuration.notices.desktop { notifier.tell(order) { _ in } }
      return send(.ok(id: origin.id, .empty), to: client)
    }
    guard configuration.notices.desktop else {
      let why = "config.json turns notices off (notify.desktop)"
      return send(.error(id: origin.id, WireError(.unavailable, why)), to: client)
    }
    connections.registerPending(origin)
    notifier.tell(order) { [unowned self] why in
      guard let client = connections.completePending(to: origin) else { return }
      let line = why.map { ReplyLine.error(id: origin.id, WireError(.unavailable, $0)) }
      send(line ?? .ok(id: origin.id, .empty), to: client)
    }
  }
}
