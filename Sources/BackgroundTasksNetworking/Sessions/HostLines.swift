internal import JobCore
internal import Synchronization

/// The running and waiting transfers of all hosts, for any thread.
final class HostLines: Sendable {
  private let lines = Mutex<[String: HostLine]>([:])
  /// Serialises the messages that release transfers to the runner.
  private let admission = Mutex(())

  var hosts: [String] { lines.withLock { Array($0.keys) } }

  func predecessor(at host: String, atMost most: Int) -> JobNumber? {
    lines.withLock { $0[host]?.predecessor(atMost: most) }
  }

  func change(_ host: String, _ work: (inout HostLine) -> Void) {
    lines.withLock { work(&$0[host, default: HostLine()]) }
  }

  /// Calls `tell` for each transfer that is released, as long as there is room.
  ///
  /// One thread at a time: the listener may be releasing transfers for this caller, and a program that is
  /// killed right after its call must not lose releases that the runner does not have yet.
  func admit(at host: String, atMost most: Int, tell: (Int) -> Void) {
    admission.withLock { _ in
      while let number = lines.withLock({ $0[host]?.letGo(atMost: most) }) { tell(number) }
    }
  }
}
