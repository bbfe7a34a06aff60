import LinuxSystem

/// Lets the terminal show each frame at once, where it can: mode 2026.
///
/// The terminal is asked (DECRQM) and nobody waits for the answer: frames are put in brackets from the
/// moment it comes. It is asked only after a while, so that what ends at once asks nothing, and an
/// answer that is still on its way at the end is waited for a little: it would appear at the shell.
/// See gist.github.com/christianparpart/d8a62cc1ab659194337d73e399004036.
struct SynchronisedOutput {
  private enum State: Hashable {
    case unasked
    case known(Bool)
    /// Since then.
    case asked(UInt64)
  }

  private static let mode = 2026
  /// Before this nothing is asked.
  private static let timeout: UInt64 = 500_000_000
  /// After this the terminal is assumed not to support the query.
  private static let longestAnswer: UInt64 = 1_000_000_000
  /// Longest wait at the end.
  private static let lastWait: UInt64 = 150_000_000

  private var state = State.unasked
  private var startedAt: UInt64?

  /// What to write to ask, once it is time.
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

  /// A frame as it is to be written.
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
