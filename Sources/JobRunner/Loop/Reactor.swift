package import LinuxSystem

/// The runner's one wait: whoever watches a descriptor brings along what is to be done about it, and
/// needs no place in the loop.
///
/// Not `Sendable`: it belongs to the runner's thread, on which all handlers are called.
package final class Reactor {
  typealias Handler = (Readiness) -> Void

  private var loop: EventLoop
  /// By the tokens in the loop.
  ///
  /// Each watch has a token of its own: what has happened on a descriptor must not reach who got its
  /// number afterwards.
  private var handlers: [UInt64: Handler] = [:]
  private var tokens: [Int32: UInt64] = [:]
  /// Those that are handled after all others.
  private var late: Set<UInt64> = []
  private var lastToken: UInt64 = 0

  package init() throws(SystemError) {
    loop = try EventLoop()
  }

  /// Calls `handler` at whatever happens on the descriptor until it is removed; a hang-up is told
  /// whatever the interest.
  ///
  /// With `afterOthers`, what has happened on others at the same time is handled before.
  func watch(
    _ descriptor: Int32, _ interest: Interest = .readable, afterOthers: Bool = false,
    _ handler: @escaping Handler
  ) throws(SystemError) {
    lastToken += 1
    try loop.add(descriptor, interest, token: lastToken)
    // One that was closed while it was watched is watched no more.
    if let stale = tokens.updateValue(lastToken, forKey: descriptor) { handlers[stale] = nil }
    handlers[lastToken] = handler
    if afterOthers { late.insert(lastToken) }
  }

  /// Changes what is wanted of a descriptor that is watched.
  func change(_ descriptor: Int32, to interest: Interest) throws(SystemError) {
    guard let token = tokens[descriptor] else { return }
    try loop.modify(descriptor, interest, token: token)
  }

  /// Stops watching, before the descriptor is closed; one that is not watched is no error.
  func remove(_ descriptor: Int32) {
    guard let token = tokens.removeValue(forKey: descriptor) else { return }
    handlers[token] = nil
    late.remove(token)
    loop.remove(descriptor)
  }

  /// Sleeps until something happens or the deadline has come (`AwakeClock`; nil = no end), and has it
  /// handled.
  func wait(until deadline: UInt64?) throws(SystemError) {
    let happened = try loop.wait(until: deadline)
    // One before it may have stopped the watch.
    for ready in happened where !late.contains(ready.token) { handlers[ready.token]?(ready) }
    for ready in happened where late.contains(ready.token) { handlers[ready.token]?(ready) }
  }
}
