/// A process group, which a session leader leads too.
package enum ProcessGroup {
  /// Kills every process of the group whose leader has this pid; never this process's own.
  package static func kill(_ leader: Int32) {
    signal(leader, Signal.kill)
  }

  /// Signals every process of the group whose leader has this pid; never this process's own.
  package static func signal(_ leader: Int32, _ number: Int32) {
    guard leader > 1, leader != CurrentProcess.groupIdentifier else { return }
    CurrentProcess.sendSignal(number, to: -leader)
  }
}
