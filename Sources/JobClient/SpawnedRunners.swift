import LinuxSystem
import Synchronization

/// Runners that this process started and that serve now: when they leave one day, somebody must wait
/// for them, or they stay as zombies for as long as this process lives.
enum SpawnedRunners {
  private static let runners = Mutex<[Int32]>([])

  static func add(_ pid: Int32?) {
    guard let pid else { return }
    runners.withLock { $0.append(pid) }
  }

  /// Waits for those that have left.
  static func reap() {
    runners.withLock { runners in
      runners.removeAll { pid in
        guard case .stillRunning? = try? ChildProcess.reap(pid) else { return true }
        return false
      }
    }
  }
}
