import JobCore

/// Why a runner leaves.
enum Departure: Hashable, Sendable {
  /// It was idle for long, or its folders vanished.
  case idle
  /// Asked to stop, and all jobs have ended.
  case stopped
  /// Asked to make room for another runner; jobs continue.
  case replaced
}

/// The time for which a runner serves.
struct RunnerLifetime: Hashable, Sendable {
  let began = WallTime.now()
  /// Why it exits; nil = it keeps running.
  var departure: Departure?
  /// Asked to stop; leaves once the last job has ended.
  var isStopping = false
  /// Since when there has been no live job and no request.
  var idleSince: Instant?
}
