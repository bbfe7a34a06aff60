import JobCore
import JobWire
import LinuxSystem

/// Looks after the files by which others find this runner, and by which it keeps others away.
final class HomeGuard: Part {
  private let home: RunnerHome
  private let listener: SocketListener
  private let storage: StoreRecovery
  private let notes: RunnerNotes
  private let leave: (Departure) -> Void
  /// When to make the socket again that could not be made; nil = it is where it belongs.
  private var listenAgainAt: Instant?
  /// When to look although nothing has told of a change; nil = whatever happens is told.
  private var lookAt: Instant?

  /// `leave` is told that this runner cannot stay, and why.
  init(
    _ home: RunnerHome, listener: SocketListener, storage: StoreRecovery, notes: RunnerNotes,
    leave: @escaping (Departure) -> Void
  ) {
    self.home = home
    self.listener = listener
    self.storage = storage
    self.notes = notes
    self.leave = leave
  }

  /// Looks whenever something happens to the files.
  func watch(_ loop: Reactor) throws(SystemError) {
    guard let number = home.watchNumber else {
      lookAt = .now()
      return notes.add(
        "the system watches no more files for this user (fs.inotify.max_user_instances in sysctl):"
          + " the runner looks after its own every \(Limits.unwatchedPauseSeconds) s")
    }
    try loop.watch(number) { [unowned self] _ in look() }
  }

  /// When to look again at what could not be put back; nil = all is where it belongs.
  ///
  /// The store, too, is only touched by a runner that has looked whether it is still the one.
  var nextDue: Instant? {
    let doubt = home.isDoubted ? Instant(nanoseconds: 0) : nil
    return [listenAgainAt, lookAt, doubt, storage.nextDue].compactMap(\.self).min()
  }

  func act(at now: Instant) { look() }

  /// Something may have happened to them: what is gone comes back, and without its lock or folders the
  /// runner leaves.
  func look() {
    listenAgainAt = nil
    home.isDoubted = false
    if lookAt != nil { lookAt = .now() + .seconds(Limits.unwatchedPauseSeconds) }
    if home.isAnyFolderGone() {
      RunnerLog.write("the runner's folders have vanished; leaving")
      return leave(.idle)
    }
    guard home.holdsLock else {
      RunnerLog.write("\(home.paths.runnerLock) was removed or replaced; leaving, and jobs go on")
      return leave(.replaced)
    }
    do throws(SystemError) {
      try home.writeLock()
    } catch {
      notes.add("the lock cannot be written: \(error)")
    }
    if !listener.isAt(home.socket) { listenAgain() }
    storage.restoreFiles()
  }

  /// Makes the socket again that somebody has removed; whoever had reached the old one is served.
  private func listenAgain() {
    do {
      try listener.move(to: home.listen(), at: home.socket)
      notes.add("the socket \(home.socket) was removed or replaced; it was made again")
    } catch {
      notes.add("the socket cannot be made again: \(error)")
      listenAgainAt = .now() + .seconds(1)
    }
  }
}
