import JobCore
import JobRuntime
import JobWire
import LinuxSystem

extension Runner {
  /// Serves until it is told to leave or has nothing to do.
  func run() throws -> Departure {
    try watch()
    restore()
    lookAtHome()
    settle()
    considerLeaving()
    while departure == nil {
      serveClients()
      setAlarm()
      for ready in try loop.wait(until: nextWake?.nanoseconds) {
        if let watched = Watched(token: ready.token) { attend(to: watched, ready) }
      }
      noticeTime()
      settle()
      considerLeaving()
    }
    flush()
    removeEmptied(atMost: .max)
    return departure ?? .idle
  }

  /// Writes what is owed, and lets the core see what was looked at for it (a list, snapshots).
  private func serveClients() {
    repeat {
      flush()
      settle()
    } while !dirty.isEmpty
    pace.end(at: clock())
  }

  private func watch() throws {
    try loop.add(listener.number, .readable, token: Watched.listener.token)
    try loop.add(signals.number, .readable, token: Watched.signals.token)
    try loop.add(home.watch.number, .readable, token: Watched.home.token)
    if let settings = settingsWatch?.number {
      try loop.add(settings, .readable, token: Watched.settings.token)
    }
    try loop.add(alarm.number, .readable, token: Watched.alarm.token)
  }

  private func attend(to watched: Watched, _ ready: Readiness) {
    switch watched {
    case .listener: acceptClients()
    case .signals: takeSignals()
    case .home: lookAtHome()
    case .probe: readProbe()
    case .alarm: takeAlarm()
    case .settings: settingsChanged()
    case .client(let number): attend(toClient: number, ready)
    case .supervisor(let number): supervisorEnded(number)
    case .announcement(let number): readAnnouncement(number)
    case .host(let serial): hostEnded(serial)
    case .notice(let serial): noticeEnded(serial)
    case .endCommand(let id): endCommandEnded(id)
    }
  }

  /// The earliest instant at which anything is due; nil = only descriptors can wake the runner.
  private var nextWake: Instant? {
    [
      core.nextDeadline, nextProgress, probeDeadline, runtime.retryAt, idleDeadline, nextRecheck,
      acceptAgainAt, nextSweep, notices.deadline, endings.tryAgainAt, nextOverdueEnding,
      nextHostLoss, held.tryAgainAt, nextEmptying, nextSuccessor, giveBackAt,
      homeAgainAt, removals.isEmpty ? nil : clock(),
    ].compactMap { $0 }.min()
  }

  private func noticeTime() {
    let now = clock()
    if let due = core.nextDeadline, due <= now { inbox.append(.deadline) }
    if let due = nextProgress, due <= now { sendProgress(at: now) }
    if let due = probeDeadline, due <= now { readProbe() }
    if let due = nextSweep, due <= now { sweep(at: now) }
    if !removals.isEmpty { goOnRemoving() }
    if let due = nextEmptying, due <= now { removeEmptied() }
    if let due = held.tryAgainAt, due <= now { launchHeld() }
    if let due = nextSuccessor, due <= now { submitSuccessors() }
    if let due = acceptAgainAt, due <= now { acceptAgain() }
    if let due = nextHostLoss, due <= now { giveUpHosts(at: now) }
    if let due = notices.deadline, due <= now { giveUpNotices(at: now) }
    if let due = nextOverdueEnding, due <= now { hastenEndings(at: now) }
    if let due = endings.tryAgainAt, due <= now { beginEndCommands() }
    if let due = nextRecheck, due <= now { recheckAdopted() }
    if let due = giveBackAt, due <= now { giveBackMemory() }
    if let due = homeAgainAt, due <= now { lookAtHome() }
  }

  private func takeSignals() {
    for signal in (try? signals.take()) ?? [] {
      // Leaving is all that any of them means: jobs belong to their supervisors and go on.
      RunnerLog.write("leaving on \(Signal.name(signal)); jobs go on")
      departure = .replaced
    }
  }
}
