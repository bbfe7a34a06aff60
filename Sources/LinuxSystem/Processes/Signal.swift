internal import CLinux

/// The signals that this program uses by name (signal(7)).
package enum Signal {
  package static let hangup: Int32 = 1
  package static let interrupt: Int32 = 2
  package static let kill: Int32 = 9
  package static let user1: Int32 = 10
  package static let user2: Int32 = 12
  package static let pipe: Int32 = 13
  package static let terminate: Int32 = 15
  package static let child: Int32 = 17
  package static let `continue`: Int32 = 18
  package static let stop: Int32 = 19
  package static let terminalStop: Int32 = 20
  /// SIGURG: ignored by programs that do not handle it.
  package static let urgent: Int32 = 23
  /// SIGXFSZ: a file would grow past its limit.
  package static let fileTooLarge: Int32 = 25
  package static let windowChange: Int32 = 28

  /// Ignores a signal: with SIGPIPE, a write to a closed pipe throws instead of ending the process.
  package static func ignore(_ number: Int32) {
    _ = clinux_signal_ignore(number)
  }

  /// Sends a signal to this process, for example to stop it after Ctrl-Z.
  package static func raise(_ number: Int32) {
    _ = clinux_kill(CurrentProcess.identifier, number)
  }

  /// `SIGTERM` for 15; `signal 40` for one without a name.
  package static func name(_ number: Int32) -> String {
    guard number > 0, Int(number) < names.count else { return "signal \(number)" }
    return "SIG\(names[Int(number)])"
  }

  private static let names = [
    "", "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2",
    "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG",
    "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS",
  ]
}

/// The signals that are blocked for the calling thread.
package enum SignalMask {
  package static func block(_ signals: [Int32]) throws(SystemError) {
    try SystemError.check(
      clinux_signal_mask(0, bits(of: signals), nil), "block signals")
  }

  package static func unblock(_ signals: [Int32]) throws(SystemError) {
    try SystemError.check(
      clinux_signal_mask(1, bits(of: signals), nil), "unblock signals")
  }

  static func bits(of signals: [Int32]) -> UInt64 {
    signals.reduce(0) { $0 | 1 << UInt64($1 - 1) }
  }
}

/// Signals read as input instead of interrupting (signalfd(2)).
package struct SignalDescriptor: ~Copyable {
  private let descriptor: FileDescriptor

  /// Blocks the signals for the calling thread and collects them; call it before any other thread starts.
  package init(_ signals: [Int32]) throws(SystemError) {
    try SignalMask.block(signals)
    descriptor = FileDescriptor(
      owning: try SystemError.check(
        clinux_signal_descriptor(SignalMask.bits(of: signals)), "collect signals"))
  }

  /// For an event loop: readable when a signal waits.
  package var number: Int32 { descriptor.number }

  /// The numbers of all pending signals; several of the same kind count once.
  package borrowing func drain() throws(SystemError) -> [Int32] {
    var numbers: [Int32] = []
    while true {
      let result = clinux_signal_take(descriptor.number, nil)
      if result == -SystemError.wouldBlock { return numbers }
      if result == -SystemError.interrupted { continue }
      numbers.append(try SystemError.check(result, "take a signal"))
    }
  }
}
