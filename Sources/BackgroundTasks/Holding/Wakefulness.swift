internal import Dispatch
internal import JobClient
internal import JobWire
internal import LinuxSystem
internal import Synchronization

/// Prevents automatic sleep of the machine while the program does work that must not be interrupted.
///
/// The runner does it, which has the settings and the battery's state, as long as a connection to it is open.
/// Without a runner the machine may sleep: none is started for that, and one that appears is asked then.
final class Wakefulness: Sendable {
  private struct State {
    var isBusy = false
    /// How often that has changed.
    var turn = 0
    /// Rung once it is no longer busy; nil unless the runner is asked.
    var wakeup: WakeupPipe?
  }

  /// Shorter work needs no lock, and the runner waits for some seconds more.
  private static let delay: UInt64 = 1_000_000_000
  /// The first pause between attempts to find a runner, in nanoseconds; it doubles each time.
  private static let rests: ClosedRange<UInt64> = 500_000_000...30_000_000_000

  private let state = Mutex(State())
  private let clock: any TaskClock
  private let link: @Sendable () throws(WireError) -> RunnerLink

  init(clock: any TaskClock, link: @escaping @Sendable () throws(WireError) -> RunnerLink) {
    self.clock = clock
    self.link = link
  }

  /// Notes whether there is such work now; never blocks.
  func note(isBusy: Bool) {
    let turn = state.withLock { state -> Int? in
      guard isBusy != state.isBusy else { return nil }
      state.isBusy = isBusy
      state.turn += 1
      state.wakeup?.ring()
      state.wakeup = nil
      return isBusy ? state.turn : nil
    }
    guard let turn else { return }
    clock.call(at: clock.nanoseconds + Self.delay) { [weak self] in self?.stayAwake(turn) }
  }

  private func stayAwake(_ turn: Int) {
    guard let wakeup = try? WakeupPipe() else { return }
    let isWanted = state.withLock { state in
      guard state.turn == turn else { return false }
      state.wakeup = wakeup
      return true
    }
    guard isWanted else { return }
    DispatchQueue.request.async { self.stayAwake(turn, until: wakeup) }
  }

  /// Is connected to the runner until the wakeup rings, and to the next one should it die.
  private func stayAwake(_ turn: Int, until wakeup: WakeupPipe) {
    var rest = Self.rests.lowerBound
    while state.withLock({ $0.turn }) == turn {
      if let link = try? link(), link.connectIfRunning(), (try? link.ask(.stayAwake)) != nil {
        wakeup.wait(beside: link.number)
        withExtendedLifetime(link) {}
        rest = Self.rests.lowerBound
        guard state.withLock({ $0.turn }) == turn else { return }
      }
      wakeup.wait(beside: nil, until: AwakeClock.now() + rest)
      rest = min(rest * 2, Self.rests.upperBound)
    }
  }
}
