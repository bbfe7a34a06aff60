package import JobCore
import JobRuntime
import JobWire
package import LinuxSystem

extension Runner {
  /// Serves until it is told to leave or has nothing to do.
  func run() throws -> Departure {
    try watchSignals()
    try begin()
    CurrentProcess.notifyReady()
    considerLeaving()
    while tenure.departure == nil { try step() }
    connections.flush()
    if home.holdsLock { leaveRemovals() }
    cleanup.removeEmptied(atMost: .max)
    // Files that are lost at this very moment can be restored by no later step.
    if home.holdsLock { storage.restoreFiles() }
    return tenure.departure ?? .idle
  }

  /// Goes on where an earlier runner stopped, and listens.
  package func begin() throws {
    try watch()
    alarm = try TimeOfDayAlarm(loop: loop) { [unowned self] in tellTimeOfDay() }
    restore(storage.takeRestoredState())
    homeKeeper.look()
    subscriptions.lookAgain()
    settle()
  }

  /// Tells what there is to tell, waits until something happens, no longer than until `limit`, and decides.
  package func step(until limit: Instant? = nil) throws {
    serveClients()
    setAlarm()
    try loop.wait(until: [nextWake, limit].compactMap(\.self).min()?.nanoseconds)
    noticeTime()
    settle()
    considerLeaving()
  }

  /// Takes a connection that did not come through the socket's file.
  package func accept(_ connection: consuming UnixConnection) { connections.accept(connection) }

  /// Writes what is owed, and lets the core see what was looked at for it (a list, snapshots).
  private func serveClients() {
    repeat {
      connections.flush()
      settle()
    } while connections.isDirty
    server.feed.endPace()
  }

  private func watchSignals() throws {
    let signals = try SignalDescriptor([
      Signal.terminate, Signal.interrupt, Signal.hangup, Signal.child,
    ])
    try loop.watch(signals.number) { [unowned self] _ in
      let told = (try? signals.drain()) ?? []
      if told.contains(Signal.child) { local.noticeStopped(ChildProcess.takeStopped()) }
      leave(on: told.filter { $0 != Signal.child })
    }
  }

  private func watch() throws {
    try server.begin()
    try homeKeeper.watch(loop)
    try settings.follow(
      loop: loop, changed: { [unowned self] in settingsChanged(from: $0) }, tell: notes.add)
  }

  /// Tells the core and the parts what is different in `config.json`.
  private func settingsChanged(from before: RunnerConfiguration) {
    let now = configuration
    if settings.slots != Settings.slots(before) { ask(.slots(settings.slots)) }
    if now.groups != before.groups { ask(.groups(now.groups)) }
    if now.budget != before.budget { ask(.budget(now.budget)) }
    if now.bundleSettings != before.bundleSettings { ask(.settings(now.bundleSettings)) }
    if now.resources != before.resources { ask(.counted(now.resources)) }
    if now.engines != before.engines {
      ask(.engines(now.engineRoom, pools: now.pools))
      engines.settingsChanged()
    }
    guard now.gpus != before.gpus else { return }
    machine.outdate()
    if core.hasRequests { machine.look { _ in } }
  }

  private func setAlarm() {
    do throws(SystemError) {
      try alarm?.set(core.nextTimeOfDay)
    } catch {
      notes.add("scheduled jobs cannot be started: \(error)")
    }
  }

  /// Tells the core what time it is, before it hears of anything that depends on that.
  func tellTimeOfDay() {
    let wall = WallTime.now()
    ask(.timeOfDay(wall))
    recurrence.noticeClock(wall, at: .now())
  }

  /// The earliest instant at which anything is due; nil = only descriptors can wake the runner.
  private var nextWake: Instant? {
    let own = [core.nextDeadline, runtime.retryAt, idleDeadline]
    return (own + parts.map(\.nextDue)).compactMap(\.self).min()
  }

  private func noticeTime() {
    let now = Instant.now()
    if let due = core.nextDeadline, due <= now { ask(.deadline) }
    for part in parts { part.actIfDue(at: now) }
  }
}

// MARK: Leaving

extension Runner {
  /// Leaving is all that any signal means: jobs belong to their supervisors and go on.
  private func leave(on signals: [Int32]) {
    for signal in signals {
      RunnerLog.write("exiting on \(Signal.name(signal)); jobs keep running")
      tenure.departure = .replaced
    }
  }

  /// `runner stop` ends first what runs, and also what waits if that is discarded; `runner restart` leaves
  /// all to the next runner.
  func leave(
    _ isRestart: Bool, _ discardsQueue: Bool, _ origin: RequestOrigin, _ client: Client
  ) {
    send(.ok(id: origin.id, .empty), to: client)
    if isRestart {
      tenure.departure = .replaced
    } else {
      tenure.isStopping = true
      ask(.shutdown(discardsQueue: discardsQueue))
    }
  }

  /// Leaves when everything that was to stop has stopped, or when nothing was live for long.
  private func considerLeaving() {
    guard tenure.departure == nil else { return }
    if tenure.isStopping, liveJobs.values.allSatisfy(\.waits) || cannotStoreTheirEnd {
      tenure.departure = .stopped
    } else if liveJobs.isEmpty, connections.isEmpty, !machine.isAwaited, notifier.isIdle,
      remoteNotices.isIdle,
      endCommands.isIdle, subscriptions.isIdle, inquiries.isIdle
    {
      tenure.idleSince = tenure.idleSince ?? .now()
      if let idleDeadline, .now() >= idleDeadline { tenure.departure = .idle }
    } else {
      tenure.idleSince = nil
    }
  }

  /// All that is missing is room for how the jobs ended: the next runner learns it from their run
  /// records, and a person who wants this one to leave need not make room first.
  private var cannotStoreTheirEnd: Bool {
    runtime.isHoldingBack
      && liveJobs.values.allSatisfy { liveJob in
        if case .ended = liveJob.state { true } else { false }
      }
  }

  /// When the runner exits because it is idle; nil while it is needed, or when it stays.
  private var idleDeadline: Instant? {
    guard configuration.idleMinutes > 0 else { return nil }
    return tenure.idleSince.map { $0 + .minutes(UInt64(configuration.idleMinutes)) }
  }
}
