import JobCore
import JobWire
import LinuxSystem

/// Waits until the runner has no job left.
enum Settling {
  /// In nanoseconds; a longer wait means that it hangs.
  private static let timeout: UInt64 = 60_000_000_000

  static func wait(on channel: Channel) throws {
    let deadline = AwakeClock.now() + timeout
    try channel.send(.feed(since: nil, progressHertz: 0))
    try channel.send(.list(all: false))
    var live: Set<JobNumber> = []
    var isListed = false
    while !isListed || !live.isEmpty {
      for line in try channel.lines(until: deadline) {
        switch line {
        case .feed(.snapshot(let job)), .reply(.job(_, let job)):
          // It may have ended, with its event delivered, since the list was requested.
          if job.state != .ended { live.insert(job.number) }
        case .feed(.event(_, _, let kind, let job)):
          if kind == .ended { live.remove(job.number) } else { live.insert(job.number) }
        case .reply(.ok(_, .count)): isListed = true
        case .feed, .reply, .host: continue
        }
      }
    }
  }
}
