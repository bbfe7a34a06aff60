package import JobClient
package import JobWire
internal import LinuxSystem

/// Whom a thread of this process listens to the runner for.
package protocol RunnerAudience: AnyObject {
  /// Whether the thread may end, because there are no more messages.
  func endIfIdle() -> Bool
  /// A connection that is not opened yet.
  func makeLink() throws(WireError) -> RunnerLink
  /// Sends the first messages of a new connection.
  func greet(on link: RunnerLink) throws(WireError)
  /// Sends pending messages.
  func speak(on link: RunnerLink) throws(WireError)
  func receive(_ line: RunnerLine) throws(WireError)
}

/// A thread's connection to the runner, which is renewed whenever it is lost.
///
/// All of it belongs to that thread.
package final class RunnerThread<Audience: RunnerAudience> {
  private let audience: Audience
  private let wakeup: WakeupPipe
  private var link: RunnerLink?
  private var pause = RunnerThread.minimumPause
  private var lastProblem = ""

  /// Between two tries to reach the runner, in nanoseconds: doubled each time.
  private static var minimumPause: UInt64 { 20_000_000 }
  private static var maximumPause: UInt64 { 5_000_000_000 }

  package init(_ audience: Audience, _ wakeup: WakeupPipe) {
    self.audience = audience
    self.wakeup = wakeup
  }

  package func run() {
    while !audience.endIfIdle() {
      do throws(WireError) {
        try listen()
      } catch {
        // Once in a row: it may last for hours.
        if error.message != lastProblem { StandardError.say(error.message) }
        lastProblem = error.message
        link = nil
        rest()
      }
    }
  }

  /// One wait, with the resulting messages.
  private func listen() throws(WireError) {
    guard let link = try connected() else { return rest() }
    try audience.speak(on: link)
    guard let number = link.number else { return }
    wakeup.wait(beside: number)
    let hasInput = try WireError.from(.internal) { () throws(SystemError) in
      try Poll.wait(number, .readable, until: 0)
    }
    guard hasInput, case .lines(let lines) = try link.receive() else { return }
    pause = Self.minimumPause
    for line in lines { try audience.receive(line) }
  }

  /// Nil without a connection.
  private func connected() throws(WireError) -> RunnerLink? {
    if let link, !link.isLost { return link }
    let link: RunnerLink
    if let lost = self.link { link = lost } else { link = try audience.makeLink() }
    self.link = link
    guard try link.reconnect() else { return nil }
    try audience.greet(on: link)
    return link
  }

  private func rest() {
    wakeup.wait(beside: nil, until: AwakeClock.now() + pause)
    pause = min(pause * 2, Self.maximumPause)
  }
}
