import JobCore
import LinuxSystem
import MachineProbes

/// Whether a user is active at a screen, keyboard or terminal of this machine, according to logind; queried
/// only while a job waits for that.
///
/// A machine without logind counts as idle.
final class PresenceWatch: Part {
  private enum State {
    case unasked
    case asking(HelperChild, until: Instant)
    case known(at: Instant)
  }

  /// Between two looks while jobs wait.
  private static let interval = Interval.seconds(30)
  private static let timeout = Interval.seconds(10)
  private static let unknown = "the answer of logind is awaited"

  private let loop: Reactor
  private let environment: [[UInt8]]
  private let isAwaited: () -> Bool
  private let changed: () -> Void
  private var state = State.unasked
  private var answer: String? = PresenceWatch.unknown

  init(
    loop: Reactor, environment: [[UInt8]], isAwaited: @escaping () -> Bool,
    changed: @escaping () -> Void
  ) {
    (self.loop, self.environment) = (loop, environment)
    (self.isAwaited, self.changed) = (isAwaited, changed)
  }

  var nextDue: Instant? {
    switch state {
    case .unasked: nil
    case .asking(_, let until): until
    case .known(let at): isAwaited() ? at + Self.interval : nil
    }
  }

  /// A sentence about the active user; nil = idle.
  func look() -> String? {
    switch state {
    case .unasked: ask()
    case .known(let at) where Instant.now() - at >= Self.interval: ask()
    case .asking, .known: break
    }
    return answer
  }

  func act(at now: Instant) {
    if case .asking(let child, _) = state {
      loop.remove(child.number)
      child.kill()
      child.discard()
      return note(nil)
    }
    ask()
  }

  private func ask() {
    do throws(SystemError) {
      // Without the name of a session it shows the properties of logind itself.
      let child = try HelperChild("loginctl", verb: "show-session", environment: environment)
      try loop.watch(child.number) { [unowned self] _ in hear() }
      state = .asking(child, until: AwakeClock.instant(in: Self.timeout))
    } catch {
      note(nil)
    }
  }

  private func hear() {
    guard case .asking(let child, _) = state else { return }
    loop.remove(child.number)
    _ = child.reap()
    let words = String(decoding: child.readOutput(), as: UTF8.self).split(separator: "\n")
    note(words.contains("IdleHint=no") ? "logind says that a session is in use" : nil)
  }

  private func note(_ new: String?) {
    state = .known(at: .now())
    guard new != answer else { return }
    answer = new
    changed()
  }
}
