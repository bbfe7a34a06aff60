import JobCore

/// Why a runner leaves.
enum Departure: Hashable, Sendable {
  /// Nothing to do for long, or its folders vanished.
  case idle
  /// Asked to stop, and everything has ended.
  case stopped
  /// Asked to make room for another runner; jobs go on.
  case replaced
}

/// The time for which a runner serves.
struct RunnerLifetime: Hashable, Sendable {
  let began = WallTime.now()
  /// Why it ends; nil = it goes on.
  var departure: Departure?
  /// Asked to stop; leaves once the last job has ended.
  var isStopping = false
  /// Since when nothing has been live and nobody has asked anything.
  var idleSince: Instant?
}
