import Glibc

/// The one instant (CLOCK_MONOTONIC) until which a wait may last, whatever happens in between.
struct Deadline {
  let limit: Duration
  private let end: ContinuousClock.Instant

  init(within limit: Duration) {
    self.limit = limit
    end = ContinuousClock.now.advanced(by: limit)
  }

  /// Waits until one of the descriptors is readable or hung up; false when the deadline came first.
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
    let left = ContinuousClock.now.duration(to: end)
    guard left > .zero else { return 0 }
    let (seconds, attoseconds) = left.components
    return Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
  }
}
