package import LinuxSystem

/// The runner's event loop: each watch of a descriptor has its own handler, so the loop needs no knowledge of
/// the parts.
///
/// Not `Sendable`: it belongs to the runner's thread, on which all handlers are called.
package final class Reactor {
  typealias Handler = (Readiness) -> Void

  private var loop: EventLoop
  /// By the tokens in the loop.
  ///
  /// Each watch has its own token: an event of a closed descriptor must not reach the handler of a new one with
  /// the same number.
  private var handlers: [UInt64: Handler] = [:]
  private var tokens: [Int32: UInt64] = [:]
  /// Tokens that are handled after all others.
  private var late: Set<UInt64> = []
  private var lastToken: UInt64 = 0

  package init() throws(SystemError) {
    loop = try EventLoop()
  }

  /// Calls `handler` for events of the descriptor until it is removed; a hang-up is reported regardless of the
  /// interest.
  ///
  /// With `afterOthers`, simultaneous events of other descriptors are handled first.
  func watch(
    _ descriptor: Int32, _ interest: Interest = .readable, afterOthers: Bool = false,
    _ handler: @escaping Handler
  ) throws(SystemError) {
    lastToken += 1
    try loop.add(descriptor, interest, token: lastToken)
    // A descriptor that was closed while watched is no longer watched.
    if let stale = tokens.updateValue(lastToken, forKey: descriptor) { handlers[stale] = nil }
    handlers[lastToken] = handler
    if afterOthers { late.insert(lastToken) }
  }

  /// Changes the interest in a watched descriptor.
  func change(_ descriptor: Int32, to interest: Interest) throws(SystemError) {
    guard let token = tokens[descriptor] else { return }
    try loop.modify(descriptor, interest, token: token)
  }

  /// Stops watching, before the descriptor is closed; ignores an unwatched one.
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
