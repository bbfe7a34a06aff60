import JobCore
import JobRuntime
import JobWire
import LinuxSystem

extension Runner {
  /// Serves until it is told to leave or has nothing to do.
  func run() throws -> Departure {
    try watch()
    let alarm = try TimeOfDayAlarm(loop: loop) { [unowned self] in tellTimeOfDay() }
    restore()
    lookAtHome()
    settle()
    considerLeaving()
    while departure == nil {
      serveClients()
      setAlarm(alarm)
      try loop.wait(until: nextWake?.nanoseconds)
      noticeTime()
      settle()
      considerLeaving()
    }
    connections.flush()
    cleanup.removeEmptied(atMost: .max)
    return departure ?? .idle
  }

  /// Writes what is owed, and lets the core see what was looked at for it (a list, snapshots).
  private func serveClients() {
    repeat {
      connections.flush()
      settle()
    } while connections.isDirty
    feed.endPace()
  }

  private func watch() throws {
    try listener.begin(
      hasRoom: { [unowned self] in connections.count < connectionLimit },
      accepted: { [unowned self] connection in connections.accept(connection) },
      trouble: { [unowned self] in note($0) })
    try loop.watch(signals.number) { [unowned self] _ in takeSignals() }
    try loop.watch(home.watch.number) { [unowned self] _ in lookAtHome() }
    try settings.follow(
      loop: loop, slotsChanged: { [unowned self] in ask(.slots($0)) },
      tell: { [unowned self] in note($0) })
  }

  private func setAlarm(_ alarm: TimeOfDayAlarm) {
    do throws(SystemError) {
      try alarm.set(core.nextTimeOfDay)
    } catch {
      note("scheduled jobs cannot be started: \(error)")
    }
  }

  /// Tells the core what time it is, before it hears of anything that depends on that.
  func tellTimeOfDay() { ask(.timeOfDay(wallClock())) }

  /// The earliest instant at which anything is due; nil = only descriptors can wake the runner.
  private var nextWake: Instant? {
    let own = [
      core.nextDeadline, runtime.retryAt, idleDeadline, nextRecheck,
      nextSweep, held.tryAgainAt,
      nextSuccessor, homeAgainAt,
    ]
    return (own + parts.map(\.nextDue)).compactMap(\.self).min()
  }

  private func noticeTime() {
    let now = clock()
    if let due = core.nextDeadline, due <= now { inbox.append(.deadline) }
    if let due = nextSweep, due <= now { sweep(at: now) }
    if let due = held.tryAgainAt, due <= now { launchHeld() }
    if let due = nextSuccessor, due <= now { submitSuccessors() }
    if let due = nextRecheck, due <= now { recheckAdopted() }
    if let due = homeAgainAt, due <= now { lookAtHome() }
    for part in parts { part.actIfDue(at: now) }
  }

  private func takeSignals() {
    for signal in (try? signals.take()) ?? [] {
      // Leaving is all that any of them means: jobs belong to their supervisors and go on.
      RunnerLog.write("leaving on \(Signal.name(signal)); jobs go on")
      departure = .replaced
    }
  }
}
