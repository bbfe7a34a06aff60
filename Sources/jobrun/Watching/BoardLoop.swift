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

  /// When the last key was read.
  private var typedAt: UInt64 = 0
  /// Watches one job alone until that ends or the person leaves it; whether all is to be left.
  private let attach: (JobStatus) throws(WireError) -> Bool

  /// How much of a log's end can be leafed through.
  private static let logBytes: UInt64 = 256 * 1024
  private static let second: UInt64 = 1_000_000_000
  /// The rest of a key's sequence follows within this time.
  private static let escapeWait: UInt64 = 100_000_000

  init(
    link: RunnerLink, input: TerminalInput, terminal: Output, colour: Bool,
    attach: @escaping (JobStatus) throws(WireError) -> Bool
  ) {
    self.link = link
    self.input = input
    self.terminal = terminal
    self.attach = attach
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
    input.releaseKeys()
  }

  private func turn() throws(WireError) {
    input.grabKeys()
    if link.isLost, try link.reconnect() { try handle(.connected) }
    if input.awaitsMore, AwakeClock.now() >= typedAt + Self.escapeWait, input.settle() != nil {
      isDirty = true
      try handle(.escape)
    }
    try draw()
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
    if input.awaitsMore { return typedAt + Self.escapeWait }
    if isDirty { return drawnAt + WatchPace.frame }
    if case .log = board.pane { return drawnAt + Self.second }
    if !board.started.isEmpty { return drawnAt + Self.second }
    return board.queued.isEmpty ? nil : drawnAt + JobBoard.reasonsEvery.nanoseconds
  }

  private func draw() throws(WireError) {
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
    try perform(board.look(at: moment, rows: size.rows))
    var glance = board.glance(at: moment, rows: size.rows, takesKeys: input.hasKeys)
    if case .log(let number) = board.pane, let log = board.job(number)?.log {
      glance.log = LogTail.last(.max, of: log, within: Self.logBytes)
      board.holdLog(lines: glance.log.count, rows: size.rows)
      glance.linesBelow = board.linesBelow
    }
    let frame = BoardView.frame(glance, columns: size.columns, rows: size.rows)
    let text = screen.show(
      frame.lines, cursor: frame.cursor, columns: size.columns, rows: size.rows)
    if let text { terminal.write(frame: synchrony.framed(text)) }
    if input.hasKeys, let query = synchrony.query(at: now) { terminal.write(frame: query) }
  }

  /// False in the background, where a shell or another program has the screen.
  private func takeScreen() -> Bool {
    let wasInBackground = isInBackground
    isInBackground = terminal.isInBackground
    guard !isInBackground else { return false }
    if !hasScreen { terminal.write(frame: FullScreen.enter) }
    if !hasScreen || wasInBackground {
      hasScreen = true
      screen.forget()
      isDirty = true
      drawnAt = 0
    }
    return true
  }

  private func leaveScreen() {
    if hasScreen { terminal.write(frame: FullScreen.leave) }
    hasScreen = false
  }

  private func read(from number: Int32) throws(WireError) {
    let arrivals = try WireError.from(.internal) { () throws(SystemError) in
      try input.arrivals(on: number)
    }
    isDirty = isDirty || !arrivals.isEmpty
    typedAt = AwakeClock.now()
    for arrival in arrivals {
      switch arrival {
      case .key(let byte): try handle(.key(byte))
      case .move(let move): try handle(.move(move))
      case .escape: try handle(.escape)
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
      case .reply(.ok(let id, let response)):
        if requests.removeValue(forKey: id) != nil, case .job(let job, _) = response {
          try handle(.answered(job))
        }
      case .reply(.error(let id, let error)):
        guard let id, let request = requests.removeValue(forKey: id) else { throw error }
        // What was only looked at may have ended meanwhile.
        if case .show = request { continue }
        try handle(.refused(error))
      case .host: continue
      }
    }
  }

  private func handle(_ event: JobBoard.Event) throws(WireError) {
    try perform(board.handle(event))
  }

  private func perform(_ effects: [JobBoard.Effect]) throws(WireError) {
    for effect in effects {
      switch effect {
      case .ask(let request):
        guard let id = try link.send(request) else { return try handle(.lost) }
        requests[id] = request
      case .attach(let number): try attach(to: number)
      case .finish(let code): finished = finished ?? code
      }
    }
  }

  /// Gives the terminal and the connection to the watching of one job, and takes them again.
  private func attach(to number: JobNumber) throws(WireError) {
    guard let job = board.job(number) else { return }
    leaveScreen()
    terminal.waitAgain()
    // What is still to come of these is nobody's any more.
    requests = [:]
    if try attach(job) { finished = finished ?? ExitCode.detached }
    terminal.stopWaiting()
    isDirty = true
    if finished == nil { try handle(.connected) }
  }
}
