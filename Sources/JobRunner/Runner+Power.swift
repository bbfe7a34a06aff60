import JobCore
import JobRuntime
import JobStore
import JobWire
import MachineProbes

// The power source, and the lock against sleep.
extension Runner {
  /// Informs the core about power saving before it starts deferrable jobs.
  func noteEnergy() {
    if core.hasRequests || core.awaitsIdleness { tellEnergy() }
  }

  func tellEnergy() {
    let why = power.look().shortage(below: configuration.lowBattery)
    // Before any event that may start a job.
    if why != core.saving { runtime.inbox.insert(.saving(why), at: 0) }
    let pressure = power.pressure?.shortage
    let presence = core.awaitsIdleness ? presence.look() : core.presence
    if pressure != core.pressure || presence != core.presence {
      runtime.inbox.insert(.busy(pressure: pressure, presence: presence), at: 0)
    }
  }

  /// Tells it before the first job comes in to which it matters.
  func tellPresence() {
    let who = presence.look()
    if who != core.presence {
      runtime.inbox.insert(.busy(pressure: core.pressure, presence: who), at: 0)
    }
  }

  /// A failure only loses the figure: the job has ended, and nothing depends on it.
  func store(gpuMillijoules: UInt64, of number: JobNumber, attempt: Int) {
    do throws(StoreError) {
      try store.setEnergy(gpuMillijoules: gpuMillijoules, of: number, attempt: attempt)
    } catch {
      notes.add("the energy of the GPUs of job \(number) is not known: \(error.message)")
    }
  }

  /// The machine stays awake as long as this client is connected.
  func stayAwake(for client: Client, _ origin: RequestOrigin) {
    client.keepsAwake = true
    send(.ok(id: origin.id, .empty), to: client)
  }

  func noteWakefulness() {
    let isWanted = !core.startedByPerson(1).isEmpty || connections.all.contains { $0.keepsAwake }
    keepAwake.note(isWanted: configuration.keepAwake && isWanted, at: .now())
  }
}
