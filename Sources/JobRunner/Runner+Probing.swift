import JobCore
import JobRuntime
import JobWire
import LinuxSystem

/// The newest look at the machine.
struct Facts {
  let at: Instant
  /// When the GPUs were looked for; earlier than `at` when nobody needed them since.
  let gpusAt: Instant
  let reading: MachineReading
}

extension Runner {
  /// Facts this fresh are not asked for again at a submission.
  private static let freshness = Span.seconds(2)

  var hasFreshFacts: Bool {
    facts.map { clock() - $0.gpusAt < Self.freshness } ?? false
  }

  /// When the helper is given up.
  var probeDeadline: Instant? { probeCall.map { Instant(nanoseconds: $0.deadline) } }

  /// Looks at what waiting and running jobs depend on.
  ///
  /// While only network and power matter, the driver is left alone and no helper is started: on a
  /// battery, this goes on for hours.
  func probeAgain() {
    let needsGPUs = cards.values.contains { $0.submission.requirements.gpuCount > 0 }
    guard let facts, !needsGPUs, probeCall == nil else { return startProbe() }
    take(facts.reading.gpus, lookedForAt: facts.gpusAt)
  }

  /// Looks at the machine; one look at a time is enough for everybody who asks meanwhile.
  func startProbe() {
    guard probeCall == nil else { return }
    let call = gpuProbe.start()
    guard let descriptor = call.descriptor else { return take(gpuProbe.finish(call)) }
    do throws(SystemError) {
      try loop.add(descriptor, .readable, token: Watched.probe.token)
      probeCall = call
    } catch {
      note("the machine cannot be probed: \(error)")
      take(gpuProbe.finish(call))
    }
  }

  /// The helper has answered, or its time is up.
  func readProbe() {
    guard let call = probeCall else { return }
    if let descriptor = call.descriptor { loop.remove(descriptor) }
    probeCall = nil
    take(gpuProbe.finish(call))
  }

  private func take(_ gpus: GPUReading, lookedForAt gpusAt: Instant? = nil) {
    let reading = machineProbe.read(gpus: gpus)
    let now = clock()
    facts = Facts(at: now, gpusAt: gpusAt ?? now, reading: reading)
    inbox.append(.machine(reading.facts))
    inbox += awaitingFacts
    awaitingFacts = []
    for asker in awaitingReport { answerReport(to: asker, reading) }
    awaitingReport = []
  }

  /// Answers with fresh facts, once they are there.
  func report(to asker: Asker) {
    awaitingReport.append(asker)
    owe(asker)
    startProbe()
  }

  private func answerReport(to asker: Asker, _ reading: MachineReading) {
    guard let client = settleDebt(to: asker) else { return }
    var leases: [String: JobNumber] = [:]
    for card in cards.values where attempts[card.number] != nil {
      for gpu in card.gpus { leases[gpu] = card.number }
    }
    let report = reading.report(
      leases: leases, slotsTotal: slots, slotsUsed: min(slots, core.runningCount))
    send(.ok(id: asker.id, .resources(report)), to: client)
  }
}
