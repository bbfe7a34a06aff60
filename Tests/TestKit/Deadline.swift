import Glibc

/// The instant (CLOCK_MONOTONIC) at which a wait ends in any case.
package struct Deadline: Sendable {
  /// The default limit of a wait: it guards against hanging for ever and asserts no speed, so it is longer
  /// than anything awaited may take on a machine full of other work.
  package static let timeout = Duration.seconds(180)

  package let limit: Duration
  private let end: SuspendingClock.Instant

  package init(within limit: Duration = timeout) {
    self.limit = limit
    end = SuspendingClock.now.advanced(by: limit)
  }

  package var hasPassed: Bool { SuspendingClock.now >= end }

  /// Waits until one of the descriptors is readable or hung up; false at the deadline.
  func anyReadable(of descriptors: [Int32]) throws(SystemCallFailure) -> Bool {
    var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while true {
      let count = unsafe poll(&entries, nfds_t(entries.count), millisecondsLeft)
      if count > 0 { return true }
      if count == 0 { return false }
      guard errno == EINTR else { throw SystemCallFailure("poll") }
    }
  }

  /// For poll(2): rounded up, so that a wait never ends early.
  private var millisecondsLeft: Int32 {
    let left = SuspendingClock.now.duration(to: end)
    guard left > .zero else { return 0 }
    let (seconds, attoseconds) = left.components
    return Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
  }
}
