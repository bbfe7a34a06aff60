import JobClient
import JobCore
import JobWire
import LinuxSystem

extension Program {
  /// Carries out `jobrun feed [--since SEQ]`.
  func feed(_ invocation: Invocation) throws(WireError) -> Int32 {
    let link = try link()
    let input = try WireError.from(.internal) { () throws(SystemError) in
      try TerminalInput(wantsKeys: false)
    }
    // Where to resume after a lost connection.
    var since = invocation.count(.since)
    var isSubscribed = false
    while !data.isClosed {
      if link.isLost { isSubscribed = false }
      if !isSubscribed, try link.reconnect(ifLost: true) {
        let request = Request.feed(since: since, progressHertz: Limits.progressHertzUsual)
        isSubscribed = try link.send(request) != nil
      }
      guard
        try !hasSignal(
          input, or: link.number, until: link.isLost ? AwakeClock.now() + WatchPace.frame : nil)
      else { return ExitCode.detached }
      try passOn(link, &since)
    }
    return ExitCode.success
  }

  /// Waits for a signal, the reader to leave, data from `other`, a terminal that has not taken all, or the
  /// deadline; whether a signal wants this to end.
  func hasSignal(
    _ input: TerminalInput, or other: Int32? = nil, until deadline: UInt64?
  ) throws(WireError) -> Bool {
    let descriptors = input.descriptors + (other.map { [$0] } ?? [])
    do throws(SystemError) {
      let ready = try Poll.wait(
        descriptors.map { ($0, .readable) } + [data.departure] + (data.room.map { [$0] } ?? []),
        until: deadline)
      if ready.contains(where: { $0.token == descriptors.count }) { data.readerLeft() }
      guard ready.contains(where: { $0.token == 0 }) else { return false }
      let arrivals = try input.arrivals(on: descriptors[0])
      if arrivals.contains(.stop) { input.stop() }
      return arrivals.contains(.interrupt) || arrivals.contains(.leave)
    } catch {
      throw WireError(.internal, error.description)
    }
  }

  /// Prints the lines received, and keeps the last sequence number.
  private func passOn(_ link: RunnerLink, _ since: inout UInt64?) throws(WireError) {
    guard let number = link.number, (try? Poll.wait(number, .readable, until: 0)) == true,
      case .lines(let lines) = try link.receive()
    else { return }
    for line in lines {
      switch line {
      case .feed(let feed):
        var bytes: [UInt8] = []
        feed.append(to: &bytes)
        data.buffer(json: bytes)
        if case .event(let sequence, _, _, _) = feed { since = sequence }
        if case .gap(_, let to) = feed { since = max(since ?? 0, to) }
      case .reply(.error(_, let error)): throw error
      case .reply, .host: continue
      }
    }
    data.flush()
  }
}
