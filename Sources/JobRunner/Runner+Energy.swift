import JobCore
import JobRuntime
import JobWire

// What the machine runs on, and that it does not fall asleep.
extension Runner {
  /// Tells the core whether power is short before it may start what can wait for it.
  func noteEnergy() {
    if core.hasRequests { tellEnergy() }
  }

  func tellEnergy() {
    let why = energy.look().shortage(below: configuration.lowBattery)
    // Ahead of whatever may start something.
    if why != core.saving { runtime.inbox.insert(.saving(why), at: 0) }
  }

  func noteWakefulness() {
    keepAwake.note(
      isWanted: configuration.keepAwake && !core.startedByPerson(1).isEmpty, at: .now())
  }
}
