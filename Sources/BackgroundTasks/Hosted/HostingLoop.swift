internal import JobClient
internal import JobWire
internal import LinuxSystem

/// The thread that listens to the runner.
///
/// Everything in it belongs to that thread.
final class HostingLoop {
  private let hosting: Hosting
  private let wakeup: WakeupPipe
  private var link: RunnerLink?
  /// Requests without an answer, by their numbers.
  private var asked: [UInt64: Request] = [:]
  private var pause = HostingLoop.pauses.lowerBound
  private var lastProblem = ""

  /// Between two tries to reach the runner, in nanoseconds: doubled each time.
  private static let pauses: ClosedRange<UInt64> = 20_000_000...5_000_000_000

  init(_ hosting: Hosting, _ wakeup: WakeupPipe) {
    self.hosting = hosting
    self.wakeup = wakeup
  }

  func run() {
    while !hosting.endIfIdle() {
      do throws(WireError) {
        try listen()
      } catch {
        // Once in a row: it may go on for hours.
        if error.message != lastProblem { StandardError.say(error.message) }
        lastProblem = error.message
        link = nil
        rest()
      }
    }
  }

  /// One wait, with what comes of it.
  private func listen() throws(WireError) {
    guard let link = try connected() else { return rest() }
    try send(hosting.removeOutgoing(), on: link)
    guard let number = link.number else { return }
    wakeup.wait(beside: number)
    guard try hasInput(number) else { return }
    guard case .lines(let lines) = try link.receive() else { return }
    pause = Self.pauses.lowerBound
    for line in lines { try receive(line) }
  }

  private func hasInput(_ number: Int32) throws(WireError) -> Bool {
    try WireError.from(.internal) { () throws(SystemError) in
      try Poll.wait(number, .readable, until: 0)
    }
  }

  /// The connection, with everything said that a new one begins with; nil when there is none yet.
  private func connected() throws(WireError) -> RunnerLink? {
    if let link, !link.isLost { return link }
    asked = [:]
    let link: RunnerLink
    if let lost = self.link {
      link = lost
    } else {
      link = try Surroundings(environment: Environment(hosting.environment)).hostLink()
      self.link = link
    }
    guard try link.reconnect() else { return nil }
    try send(hosting.introduction(), on: link)
    return link
  }

  private func send(_ requests: [Request], on link: RunnerLink) throws(WireError) {
    for request in requests {
      // Lost: all of it is said anew on the next connection.
      guard let id = try link.send(request) else { return }
      asked[id] = request
    }
  }

  private func receive(_ line: RunnerLine) throws(WireError) {
    switch line {
    case .host(let line): hosting.receive(line)
    case .reply(.ok(let id, _)):
      if let request = asked.removeValue(forKey: id) { hosting.heard(request) }
    case .reply(.error(let id, let error)):
      guard let request = id.flatMap({ asked.removeValue(forKey: $0) }) else { throw error }
      if case .host = request { throw error }
      // What the runner refuses to hear it will never hear.
      hosting.heard(request)
      StandardError.say(error.message)
    case .reply(.job), .feed: break
    }
  }

  private func rest() {
    wakeup.wait(beside: nil, until: AwakeClock.now() + pause)
    pause = min(pause * 2, Self.pauses.upperBound)
  }
}
