import LinuxSystem
import Synchronization

/// Running runners that this process started: it must reap them when they exit, or they stay zombies for as
/// long as it lives.
enum SpawnedRunners {
  private static let runners = Mutex<[Int32]>([])

  static func add(_ pid: Int32?) {
    guard let pid else { return }
    runners.withLock { $0.append(pid) }
  }

  /// Reaps those that have exited.
  static func reap() {
    runners.withLock { runners in
      runners.removeAll { pid in
        guard case .stillRunning? = try? ChildProcess.reap(pid) else { return true }
        return false
      }
    }
  }
}
