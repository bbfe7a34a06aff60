import JobCore
import JobWire
import LinuxSystem

/// How jobs are stopped: `--now`, `--reason TEXT`, `--signal NAME`.
struct CancelOptions: Hashable {
  private let now: Bool
  private let reason: String?
  private let signal: Int32?

  init(_ invocation: Invocation) throws(WireError) {
    now = invocation.isSet(.now)
    reason = invocation.text(.reason).flatMap { $0.isEmpty ? nil : $0 }
    signal = try invocation.text(.signal).map { text throws(WireError) in
      try Self.number(text, .signal)
    }
    guard now, signal != nil else { return }
    throw WireError(
      .usage,
      "\(Flag.signal.spelling) and \(Flag.now.spelling) cannot be used together: the job is killed at once"
    )
  }

  func request(_ jobs: JobTarget) -> Request {
    .cancel(jobs, now: now, reason: reason, signal: signal)
  }

  /// `INT`, `SIGINT` or `2`.
  static func number(_ text: String, _ flag: Flag) throws(WireError) -> Int32 {
    let upper = text.uppercased()
    let name = upper.hasPrefix("SIG") ? upper : "SIG\(upper)"
    let known: ClosedRange<Int32> = 1...31
    if let number = Int32(text) ?? known.first(where: { Signal.name($0) == name }),
      (1...64).contains(number)
    {
      return number
    }
    throw WireError(
      .usage,
      "\(flag.spelling) is \(text.quoted), which is not a signal; write INT, QUIT, USR1 or a number"
        + " from 1 to 64")
  }
}
