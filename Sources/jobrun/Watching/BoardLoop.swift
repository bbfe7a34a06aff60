import JobClient
import JobCore
import JobWire
import LinuxSystem

/// Shows all jobs until the person leaves: waits, hands events to the board and draws it.
///
/// Nothing is drawn when nothing changed, and nothing wakes it when no clock runs on the screen. In the
/// background it leaves the terminal to those in front, and draws as soon as it is in front itself.
final class BoardLoop {
  private var board = JobBoard()
  private let link: RunnerLink
  private let input: TerminalInput
  private let terminal: Output
  private var screen: FullScreen
  private var synchrony = SynchronisedOutput()
  private var requests: [UInt64: Request] = [:]
  private var finished: Int32?
  /// Something may look different from what was drawn.
  private var isDirty = true
  private var drawnAt: UInt64 = 0
  /// The terminal shows this program's screen, unless somebody in front has written over it.
  private var hasScreen = false
  private var isInBackground = false

  private static let second: UInt64 = 1_000_000_000

  init(link: RunnerLink, input: TerminalInput, terminal: Output, colour: Bool) {
    self.link = link
    self.input = input
    self.terminal = terminal
    screen = FullScreen(colour: colour)
  }

  /// Runs until the person leaves; the exit code.
  func run() throws(WireError) -> Int32 {
    terminal.stopWaiting()
    defer { restore() }
    try handle(.connected)
    while finished == nil, !terminal.isClosed { try turn() }
    return finished ?? ExitCode.detached
  }

  private func restore() {
    leaveScreen()
    synchrony.settle(input)
    terminal.waitAgain()
    input.giveKeysBack()
  }

  private func turn() throws(WireError) {
    input.takeKeys()
    if link.isLost, try link.reconnect() { try handle(.connected) }
    draw()
    let descriptors = input.descriptors + (link.number.map { [$0] } ?? [])
    let ready = try WireError.from(.internal) { () throws(SystemError) in
      try Poll.wait(descriptors.map { ($0, .readable) }, until: nextLook)
    }
    for readiness in ready {
      let number = descriptors[Int(readiness.token)]
      if number == link.number { try receive() } else { try read(from: number) }
    }
  }

  /// Now and no earlier than a frame after the last one, or when a clock on the screen moves on.
  private var nextLook: UInt64? {
    // Nobody tells when the shell brings this process to the front.
    if link.isLost || isInBackground { return AwakeClock.now() + WatchPace.frame }
    if isDirty { return drawnAt + WatchPace.frame }
    return board.active.isEmpty ? nil : drawnAt + Self.second
  }

  private func draw() {
    let now = AwakeClock.now()
    guard !terminal.isBusy else {
      // Nobody tells when a stuck terminal takes again what it was given, nor what it shows then.
      isDirty = true
      drawnAt = now
      return
    }
    guard takeScreen() else { return }
    guard isDirty && now >= drawnAt + WatchPace.frame || now >= drawnAt + Self.second else {
      return
    }
    isDirty = false
    drawnAt = now
    let size = terminal.size ?? (80, 24)
    let moment = Moment.present
    board.look(at: moment)
    let glance = board.glance(at: moment, rows: size.rows, takesKeys: input.hasKeys)
    let frame = BoardView.frame(glance, columns: size.columns, rows: size.rows)
    let text = screen.show(
      frame.lines, cursor: frame.cursor, columns: size.columns, rows: size.rows)
    if let text { terminal.write(synchrony.framed(text)) }
    if input.hasKeys, let query = synchrony.query(at: now) { terminal.write(query) }
  }

  /// False in the background, where a shell or another program has the screen.
  private func takeScreen() -> Bool {
    let wasInBackground = isInBackground
    isInBackground = terminal.isInBackground
    guard !isInBackground else { return false }
    if !hasScreen { terminal.write(FullScreen.enter) }
    if !hasScreen || wasInBackground {
      hasScreen = true
      screen.forget()
      isDirty = true
      drawnAt = 0
    }
    return true
  }

  private func leaveScreen() {
    if hasScreen { terminal.write(FullScreen.leave) }
    hasScreen = false
  }

  private func read(from number: Int32) throws(WireError) {
    let arrivals = try WireError.from(.internal) { () throws(SystemError) in
      try input.arrivals(on: number)
    }
    isDirty = isDirty || !arrivals.isEmpty
    for arrival in arrivals {
      switch arrival {
      case .key(let byte): try handle(.key(byte))
      case .up: try handle(.up)
      case .down: try handle(.down)
      case .mode(let mode, let value): synchrony.learn(mode: mode, value: value)
      case .interrupt, .leave: try handle(.leave)
      case .redraw: screen.forget()
      case .stop:
        leaveScreen()
        input.stop()
      }
    }
  }

  private func receive() throws(WireError) {
    guard case .lines(let lines) = try link.receive() else { return try handle(.lost) }
    isDirty = isDirty || !lines.isEmpty
    for line in lines where finished == nil {
      switch line {
      case .feed(let feed): try handle(.feed(feed))
      case .reply(.job(_, let job)): try handle(.past(job))
      case .reply(.ok(let id, _)): requests[id] = nil
      case .reply(.error(let id, let error)):
        guard let id, requests.removeValue(forKey: id) != nil else { throw error }
        try handle(.refused(error))
      case .host: continue
      }
    }
  }

  private func handle(_ event: JobBoard.Event) throws(WireError) {
    for effect in board.handle(event) {
      switch effect {
      case .ask(let request):
        guard let id = try link.send(request) else { return try handle(.lost) }
        requests[id] = request
      case .finish(let code): finished = finished ?? code
      }
    }
  }
}
