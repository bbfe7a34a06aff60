internal import CLinux

/// Processes that let others go first, as long as nobody looks: what they start does so, too.
package enum BackgroundProcesses {
  /// Sets all threads of these, or takes it back from those that it was set for; what is not ours, or has ended,
  /// stays as it is.
  package static func set(_ pids: [Int32], giveWay: Bool) {
    for pid in pids {
      for name in (try? File.names(in: "/proc/\(pid)/task")) ?? [] {
        if let thread = Int32(name) { clinux_give_way(thread, giveWay ? 1 : 0) }
      }
    }
  }
}
