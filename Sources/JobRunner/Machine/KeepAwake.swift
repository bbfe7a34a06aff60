import JobCore
import JobWire
import LinuxSystem

/// Prevents automatic sleep while a job runs that a person has started, or while a registered program is at
/// work.
///
/// It uses logind, which may refuse; `jobrun runner status` shows that, and there is no other consequence.
final class KeepAwake: Part {
  private enum State {
    /// No such job runs.
    case idle
    /// A job runs, but not for long enough yet; or the battery is low, and is checked again.
    case delayed(until: Instant, why: String?)
    case asking(Inhibitor, Inhibitor.Wish, until: Instant)
    case held(Inhibitor, Inhibitor.Wish, nextLook: Instant)
    /// The machine may sleep, for this reason; asked again when jobs begin anew.
    case refused(String)
  }

  /// A job that is shorter than this needs no lock: a machine does not fall asleep in seconds.
  private static let delay = Interval.seconds(5)
  /// How long logind may take to answer.
  private static let timeout = Interval.seconds(30)
  /// The interval between checks of the battery.
  private static let lookInterval = Interval.seconds(60)

  private let loop: Reactor
  private let environment: [[UInt8]]
  /// Why the battery is too low for it; nil = it is not.
  private let lowBattery: () -> String?
  private var state = State.idle

  init(loop: Reactor, environment: [[UInt8]], lowBattery: @escaping () -> String?) {
    self.loop = loop
    self.environment = environment
    self.lowBattery = lowBattery
  }

  var nextDue: Instant? {
    switch state {
    case .idle, .refused: nil
    case .delayed(let until, _), .asking(_, _, let until), .held(_, _, let until): until
    }
  }

  /// Tells whether it is wanted now: a job runs that a person has started, and the settings allow it.
  func note(isWanted: Bool, at now: Instant) {
    if case .idle = state {
      if isWanted { state = .delayed(until: now + Self.delay, why: nil) }
    } else if !isWanted {
      enter(.idle)
    }
  }

  func act(at now: Instant) {
    if let why = lowBattery() {
      return enter(.delayed(until: now + Self.lookInterval, why: why))
    }
    switch state {
    case .idle, .refused: break
    case .delayed: ask(for: Inhibitor.Wish.all[...], at: now)
    case .asking:
      enter(.refused("logind did not answer within \(DurationText.format(Self.timeout))"))
    case .held(let lock, let wish, _):
      state = .held(lock, wish, nextLook: now + Self.lookInterval)
    }
  }

  /// Requests the first of these locks, and the next if it is refused.
  private func ask(for wishes: ArraySlice<Inhibitor.Wish>, at now: Instant, _ why: String = "") {
    guard let wish = wishes.first else { return enter(.refused(why)) }
    do throws(SystemError) {
      let lock = try Inhibitor(wish, why: "a job is running", environment: environment)
      try loop.watch(lock.number) { [unowned self] _ in hear(wishes) }
      state = .asking(lock, wish, until: now + Self.timeout)
    } catch {
      enter(.refused("systemd-inhibit cannot be started: \(error.reason)"))
    }
  }

  private func hear(_ wishes: ArraySlice<Inhibitor.Wish>) {
    switch state {
    case .idle, .delayed, .refused: break
    case .asking(let lock, let wish, _):
      switch lock.hear() {
      case .nothing: break
      case .isHeld:
        state = .held(lock, wish, nextLook: AwakeClock.instant(in: Self.lookInterval))
      case .isOver(let why):
        enter(.idle)
        ask(for: wishes.dropFirst(), at: .now(), why)
      }
    case .held(let lock, _, _):
      if case .isOver(let why) = lock.hear() { enter(.refused(why)) }
    }
  }

  /// Releases the held or requested lock, if there is one.
  private func enter(_ next: State) {
    switch state {
    case .asking(let lock, _, _), .held(let lock, _, _): loop.remove(lock.number)
    case .idle, .delayed, .refused: break
    }
    state = next
  }

  /// The finding for `jobrun runner status`; `jobs` and `programs`: the reasons for the lock.
  func status(jobs: [JobNumber], programs: [Int32], isAllowed: Bool) -> RunnerStatus.Finding {
    guard isAllowed else { return .init(isOn: false, why: "config.json turns it off (keepAwake)") }
    switch state {
    case .idle: return .init(isOn: false, why: "nothing you started is running")
    case .delayed(_, let why?), .refused(let why): return .init(isOn: false, why: why)
    case .delayed: return .init(isOn: false, why: "it begins once a job has run for a few seconds")
    case .asking: return .init(isOn: false, why: "logind is being asked")
    case .held(_, let wish, _):
      let some = jobs.isEmpty ? [] : [words(jobs: Array(jobs.prefix(3)), of: jobs.count)]
      let whose = some + programs.map { "process \($0)" }
      return .init(
        isOn: true,
        why: "logind holds \(wish.what) (\(wish.mode)) for \(whose.joined(separator: ", "))")
    }
  }
}
