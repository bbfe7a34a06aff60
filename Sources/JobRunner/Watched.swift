import JobCore

/// What a descriptor in the event loop belongs to, packed into the loop's 64-bit token.
enum Watched: Hashable {
  case listener
  case signals
  /// The runner's own folders: it leaves when they vanish.
  case home
  /// The helper that looks for GPUs.
  case probe
  /// The civil clock: a time of day has come, or the clock was set.
  case alarm
  /// The folder of the settings.
  case settings
  case client(UInt64)
  /// The pidfd of an attempt's supervisor.
  case supervisor(JobNumber)
  /// The pipe on which a supervisor says that the worker runs.
  case announcement(JobNumber)
  /// The pidfd of a process that hosts jobs, by its serial number in this runner.
  case host(UInt64)
  /// The pidfd of a helper that shows a notice, by its serial number in this runner.
  case notice(UInt64)
  /// The pidfd of the supervisor of a command that follows an end, by its number in the store.
  case endCommand(UInt64)

  /// The kind in the low four bits, the number above: numbers stay below 2⁶⁰.
  var token: UInt64 {
    switch self {
    case .listener: 0
    case .signals: 1
    case .home: 2
    case .probe: 3
    case .alarm: 4
    case .client(let number): number << 4 | 5
    case .supervisor(let number): number.value << 4 | 6
    case .announcement(let number): number.value << 4 | 7
    case .host(let serial): serial << 4 | 8
    case .notice(let serial): serial << 4 | 9
    case .endCommand(let id): id << 4 | 10
    case .settings: 11
    }
  }

  init?(token: UInt64) {
    switch token & 15 {
    case 0: self = .listener
    case 1: self = .signals
    case 2: self = .home
    case 3: self = .probe
    case 4: self = .alarm
    case 5: self = .client(token >> 4)
    case 6: self = .supervisor(JobNumber(token >> 4))
    case 7: self = .announcement(JobNumber(token >> 4))
    case 8: self = .host(token >> 4)
    case 9: self = .notice(token >> 4)
    case 10: self = .endCommand(token >> 4)
    case 11: self = .settings
    default: return nil
    }
  }
}
