import LinuxSystem

/// A parent process of the same program, which reports its end when the program cannot: by a signal, a trap, or
/// for lack of memory.
enum Watchman {
  /// The first argument of the program below.
  static let word = "watched"

  /// The exit code.
  static func run(_ arguments: [String], _ settings: Settings) throws -> Int32 {
    if [.power, .disk, .scarce].contains(settings.fault) { try Machine.requireNamespace() }
    let ends = [Signal.terminate, Signal.interrupt, Signal.hangup]
    let signals = try SignalDescriptor([Signal.child] + ends)
    var spawn = Spawn([try CurrentProcess.executablePath(), word] + arguments)
    spawn.deathSignal = Signal.kill
    let pid = try spawn.start()
    while true {
      _ = try Poll.wait(signals.number, until: nil)
      for signal in try signals.drain() where ends.contains(signal) {
        tell("it was told to end by \(Signal.name(signal))")
        try ProcessDescriptor(pid).signal(Signal.kill)
      }
      guard case .ended(let end) = try LinuxSystem.ChildProcess.reap(pid) else { continue }
      switch end.status {
      case .exited(let code) where code <= 1: return code
      case .exited(let code): tell("it ended with exit code \(code)")
      case .signalled(let number): tell("it was ended by \(Signal.name(number))")
      }
      tell("repeat it with: \(settings.command)")
      return 1
    }
  }
}
