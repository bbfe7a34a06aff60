import JobCore
import JobWire

/// Waits until the runner has nothing left to run.
enum Settling {
  static func wait(on channel: Channel) throws {
    try channel.send(.feed(since: nil, progressHertz: 0))
    try channel.send(.list(all: false))
    var live: Set<JobNumber> = []
    var isListed = false
    while !isListed || !live.isEmpty {
      for line in try channel.lines() {
        switch line {
        case .feed(.snapshot(let job)), .reply(.job(_, let job)): live.insert(job.number)
        case .feed(.event(_, _, let kind, let job)):
          if kind == .ended { live.remove(job.number) } else { live.insert(job.number) }
        case .reply(.ok(_, .count)): isListed = true
        case .feed, .reply, .host: continue
        }
      }
    }
  }
}
