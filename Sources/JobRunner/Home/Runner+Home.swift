import JobCore
import JobWire
import LinuxSystem

// The files by which others find this runner, and by which it keeps others away.
extension Runner {
  /// Something happened to them: what is gone comes back, and without its lock or folders the runner
  /// leaves.
  func lookAtHome() {
    homeAgainAt = nil
    if home.watch.isAnyGone() {
      RunnerLog.write("the runner's folders have vanished; leaving")
      departure = .idle
      return
    }
    guard home.holdsLock else {
      RunnerLog.write("\(home.places.runnerLock) was removed or replaced; leaving, and jobs go on")
      departure = .replaced
      return
    }
    do throws(SystemError) {
      try home.writeLock()
    } catch {
      note("the lock cannot be written: \(error)")
    }
    if !listener.isAt(home.socket) { listenAgain() }
    restoreStoreFiles()
  }

  /// Makes the socket again that somebody has removed; whoever had reached the old one is served.
  private func listenAgain() {
    do {
      try listener.move(to: home.listen(), at: home.socket)
      note("the socket \(home.socket) was removed or replaced; it was made again")
    } catch {
      note("the socket cannot be made again: \(error)")
      homeAgainAt = clock() + .seconds(1)
    }
  }
}
