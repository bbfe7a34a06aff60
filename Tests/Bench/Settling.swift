import JobCore
import JobWire
import LinuxSystem

/// Waits until the runner has nothing left to run.
enum Settling {
  /// In nanoseconds; whoever takes longer hangs.
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
          // It may have ended, and been told so, since it was to be listed.
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
