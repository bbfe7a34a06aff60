internal import JobCore
internal import Synchronization

/// The transfers of all hosts that are under way, for any thread.
final class HostLines: Sendable {
  private let lines = Mutex<[String: HostLine]>([:])
  /// Held while the runner is told who may go on.
  private let admission = Mutex(())

  var hosts: [String] { lines.withLock { Array($0.keys) } }

  func predecessor(at host: String, atMost most: Int) -> JobNumber? {
    lines.withLock { $0[host]?.predecessor(atMost: most) }
  }

  func change(_ host: String, _ work: (inout HostLine) -> Void) {
    lines.withLock { work(&$0[host, default: HostLine()]) }
  }

  /// Has `tell` let go of those that wait for others of their host, as long as there is room.
  ///
  /// One thread at a time: the listener may be at it for what this caller did, and a program that is killed behind
  /// its call must not take with it what the runner has not heard yet.
  func admit(at host: String, atMost most: Int, tell: (Int) -> Void) {
    admission.withLock { _ in
      while let number = lines.withLock({ $0[host]?.letGo(atMost: most) }) { tell(number) }
    }
  }
}
