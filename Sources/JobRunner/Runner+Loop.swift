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
    while lifetime.departure == nil { try step() }
    connections.flush()
    if home.holdsLock { leaveRemovals() }
    cleanup.removeEmptied(atMost: .max)
    // Files that are lost at this very moment can be restored by no later step.
    if home.holdsLock { storage.restoreFiles() }
    return lifetime.departure ?? .idle
  }

  /// Goes on where an earlier runner stopped, and listens.
  package func begin() throws {
    try watch()
    alarm = try TimeOfDayAlarm(loop: loop) { [unowned self] in tellTimeOfDay() }
    restore(storage.takeRestoredState())
    homeGuard.look()
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
    try homeGuard.watch(loop)
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
    nextRuns.noticeClock(wall, at: .now())
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
