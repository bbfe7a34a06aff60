internal import CLinux

/// Processes with a low priority while no client watches; their children inherit it.
package enum BackgroundProcesses {
  /// Sets all threads of these processes, or restores those that were set; processes of others, and ended ones,
  /// are skipped.
  package static func set(_ pids: [Int32], giveWay: Bool) {
    for pid in pids {
      for name in (try? File.names(in: "/proc/\(pid)/task")) ?? [] {
        if let thread = Int32(name) { clinux_give_way(thread, giveWay ? 1 : 0) }
      }
    }
  }
}
