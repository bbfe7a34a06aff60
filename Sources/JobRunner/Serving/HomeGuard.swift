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
  /// When to check without an event; nil = all changes have events.
  private var lookAt: Instant?

  /// `leave` is called with the reason when this runner must exit.
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

  /// When to retry a failed repair; nil = all is in order.
  ///
  /// A doubted home is checked at once, because only the runner that holds the lock may touch the store.
  var nextDue: Instant? {
    let doubt = home.isDoubted ? Instant(nanoseconds: 0) : nil
    return [listenAgainAt, lookAt, doubt, storage.nextDue].compactMap(\.self).min()
  }

  func act(at now: Instant) { look() }

  /// Checks the files: restores missing ones; the runner exits without its lock or its folders.
  func look() {
    listenAgainAt = nil
    home.isDoubted = false
    if lookAt != nil { lookAt = .now() + .seconds(Limits.unwatchedPauseSeconds) }
    if home.isAnyFolderGone() {
      RunnerLog.write("the runner's folders have vanished; exiting")
      return leave(.idle)
    }
    guard home.holdsLock else {
      RunnerLog.write(
        "\(home.paths.runnerLock) was removed or replaced; exiting, and jobs keep running")
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

  /// Recreates the removed socket; clients that had reached the old one are served.
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
