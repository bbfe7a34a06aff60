import JobCore
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

// What is asked of the machine, and what it is given back.
extension Runner {
  /// Looks at what waiting and running jobs depend on.
  func probeAgain() {
    machine.lookAgain(
      needsGPUs: cards.values.contains { $0.submission.requirements.gpuCount > 0 })
  }

  /// Answers with fresh facts, once they are there.
  func report(to asker: RequestOrigin) {
    connections.owe(asker)
    machine.look { [unowned self] result in answerReport(to: asker, result) }
  }

  /// Hands an event to the core once the machine was looked at; whoever asked is told when that cannot
  /// be done now.
  func askWithFacts(_ event: Event, _ tag: RequestTag) {
    machine.look { [unowned self] result in
      guard case .failure(let error) = result else { return ask(event) }
      runtime.drafts[tag] = nil
      luggage[tag] = nil
      respond(to: tag, .failure(Self.unlooked(error)))
    }
  }

  private static func unlooked(_ error: SystemError) -> WireError {
    WireError(.cannotCreate, "the machine cannot be looked at: \(error); try again later")
  }

  private func answerReport(
    to asker: RequestOrigin, _ result: Result<MachineReading, SystemError>
  ) {
    guard let client = connections.settleDebt(to: asker) else { return }
    let reading: MachineReading
    do throws(SystemError) {
      reading = try result.get()
    } catch {
      return send(.error(id: asker.id, Self.unlooked(error)), to: client)
    }
    var leases: [String: JobNumber] = [:]
    for card in cards.values where attempts[card.number] != nil {
      for gpu in card.gpus { leases[gpu] = card.number }
    }
    let report = reading.report(
      leases: leases, slotsTotal: settings.slots, slotsUsed: min(settings.slots, core.runningCount))
    send(.ok(id: asker.id, .resources(report)), to: client)
  }

  /// Gives back the room that was needed for more than there is now.
  func giveBackMemory() {
    // What was removed from a dictionary leaves its room behind.
    connections.giveBackRoom()
    if attempts.isEmpty { attempts = [:] }
    runtime.giveBackRoom()
    if luggage.isEmpty { luggage = [:] }
    store.giveBackMemory()
    CurrentProcess.giveBackMemory()
  }
}
