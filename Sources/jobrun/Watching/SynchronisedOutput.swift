import LinuxSystem

/// Makes the terminal show each frame at once, if it supports mode 2026.
///
/// The terminal is asked (DECRQM) without waiting for the reply: frames are bracketed once it has arrived. The
/// query is sent only after a while, so that short commands send none, and the end waits a little for an
/// outstanding reply: otherwise it would appear in the shell. See
/// gist.github.com/christianparpart/d8a62cc1ab659194337d73e399004036.
struct SynchronisedOutput {
  private enum State: Hashable {
    case unasked
    case known(Bool)
    /// Since then.
    case asked(UInt64)
  }

  private static let mode = 2026
  /// The time before the query is sent.
  private static let timeout: UInt64 = 500_000_000
  /// After this the terminal is assumed not to support the query.
  private static let longestAnswer: UInt64 = 1_000_000_000
  /// Longest wait at the end.
  private static let lastWait: UInt64 = 150_000_000

  private var state = State.unasked
  private var startedAt: UInt64?

  /// The query, once it is due.
  mutating func query(at now: UInt64) -> String? {
    let started = startedAt ?? now
    startedAt = started
    guard state == .unasked, now - started >= Self.timeout else { return nil }
    state = .asked(now)
    return "\u{1B}[?\(Self.mode)$p"
  }

  /// Takes the answer: 1 and 2 mean that the mode is there and can be set (DECRPM).
  mutating func learn(mode: Int, value: Int) {
    if mode == Self.mode { state = .known(value == 1 || value == 2) }
  }

  /// A frame with its brackets.
  func framed(_ text: String) -> String {
    guard state == .known(true), !text.isEmpty else { return text }
    return "\u{1B}[?\(Self.mode)h\(text)\u{1B}[?\(Self.mode)l"
  }

  /// Takes an answer that is still on its way, before the keys are given back.
  mutating func settle(_ input: TerminalInput) {
    guard case .asked(let since) = state, input.hasKeys else { return }
    let deadline = min(AwakeClock.now() + Self.lastWait, since + Self.longestAnswer)
    while case .asked = state, AwakeClock.now() < deadline {
      guard (try? Poll.wait(0, .readable, until: deadline)) == true,
        let arrivals = try? input.arrivals(on: 0), arrivals != [.leave]
      else { return }
      for case .mode(let mode, let value) in arrivals { learn(mode: mode, value: value) }
    }
  }
}
