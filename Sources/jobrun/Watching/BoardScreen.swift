import JobClient
import JobCore
import JobWire
import LinuxSystem

/// All jobs, until the person leaves.
///
/// Draws only after a change, and wakes up only while a clock is on the screen. In the background it leaves the
/// terminal alone, and draws again once it is in the foreground.
final class BoardScreen: WatchScreen {
  private var board = JobBoard()
  private let terminal: Output
  private var screen: FullScreen
  private var synchrony = SynchronisedOutput()
  /// Whether the screen may differ from what was drawn.
  private var isDirty = true
  private var drawnAt: UInt64 = 0
  /// Whether the terminal shows this program's screen; a foreground process may overwrite it.
  private var hasScreen = false
  private var isInBackground = false

  /// The log that is open.
  private var window: LogWindow?

  /// How much of a log's end is read for a job's pane.
  private static let tailBytes: UInt64 = 32 * 1024
  private static let second: UInt64 = 1_000_000_000
  /// How long a search goes on before keys are read again.
  private static let searchTime: UInt64 = 40_000_000

  /// `lookedAt`: when `jobrun watch` was last used.
  init(terminal: Output, colour: Bool, lookedAt: WallTime?) {
    self.terminal = terminal
    screen = FullScreen(colour: colour)
    board.lookedAt = lookedAt
  }

  var isClosed: Bool { terminal.isClosed }
  var departures: [(number: Int32, interest: Interest)] { [] }

  func readerLeft() {}

  func begin() { terminal.stopWaiting() }

  func end(_ input: TerminalInput) {
    clear()
    synchrony.settle(input)
    terminal.waitAgain()
  }

  func conclude(_ code: Int32?) throws(WireError) -> Int32 { code ?? ExitCode.detached }

  func learn(mode: Int, value: Int) { synchrony.learn(mode: mode, value: value) }

  func redraw() {
    screen.forget()
    isDirty = true
  }

  func clear() {
    if hasScreen { terminal.write(frame: FullScreen.leave) }
    hasScreen = false
  }

  func handle(_ event: WatchEvent) -> [WatchEffect] {
    isDirty = true
    return board.handle(event)
  }

  func look(_ link: RunnerLink, hasKeys: Bool) throws(WireError) -> [WatchEvent] { [] }

  /// Now and no earlier than a frame after the last one, or when a clock on the screen moves on.
  func nextLook(isLost: Bool) -> UInt64? {
    // There is no event when the shell brings this process to the foreground.
    if isLost || isInBackground { return AwakeClock.now() + WatchPace.frame }
    if isDirty { return drawnAt + WatchPace.frame }
    switch board.pane {
    case .log, .job: return drawnAt + Self.second
    case .jobs, .keys: break
    }
    if !board.started.isEmpty { return drawnAt + Self.second }
    return board.queued.isEmpty ? nil : drawnAt + JobBoard.reasonsEvery.nanoseconds
  }

  func draw(_ input: TerminalInput) throws(WireError) -> [WatchEffect] {
    let now = AwakeClock.now()
    guard !terminal.isBusy else {
      // There is no event when a stuck terminal accepts output again, nor is its content known then.
      isDirty = true
      drawnAt = now
      return []
    }
    guard takeScreen() else { return [] }
    guard isDirty && now >= drawnAt + WatchPace.frame || now >= drawnAt + Self.second else {
      return []
    }
    isDirty = false
    drawnAt = now
    let size = terminal.size ?? (80, 24)
    let moment = Moment.present
    let effects = board.look(at: moment, rows: size.rows)
    var model = board.model(at: moment, rows: size.rows, takesKeys: input.hasKeys)
    readLog(into: &model, size)
    let frame = BoardView.frame(model, columns: size.columns, rows: size.rows)
    if model.pane == .jobs { board.pageRows = frame.pageRows }
    let text = screen.show(
      frame.lines, cursor: frame.cursor, columns: size.columns, rows: size.rows)
    if let text { terminal.write(frame: synchrony.framed(text)) }
    if input.hasKeys, let query = synchrony.query(at: now) { terminal.write(frame: query) }
    return effects
  }

  private func readLog(into model: inout BoardViewModel, _ size: (columns: Int, rows: Int)) {
    switch board.pane {
    case .jobs, .keys: window = nil
    case .job(let number):
      window = nil
      guard let log = board.job(number)?.log else { return }
      model.log = LogReader.lastLines(size.rows, of: log, within: Self.tailBytes)
    case .log(let number):
      guard let path = board.job(number)?.log else { return }
      var log = window?.path == path ? window : nil
      log = log ?? LogWindow(path: path)
      let rows = BoardView.logRows(of: size.rows)
      // What is visible decides where a search begins.
      if window == nil { _ = log?.part(rows: rows, columns: size.columns) }
      let deadline = AwakeClock.now() + Self.searchTime
      let steps = board.takeLogSteps()
      if steps.isEmpty, log?.isSearching ?? false {
        board.notice = log?.searchOn(rows: rows, until: deadline)
      }
      for step in steps {
        log?.take(step, rows: rows)
        if case .find = step { board.notice = log?.searchOn(rows: rows, until: deadline) }
      }
      model.notice = board.notice
      if let part = log?.part(rows: rows, columns: size.columns - 1) {
        (model.log, model.logPlace) = part
      }
      window = log
      isDirty = log?.isSearching ?? false
    }
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
}
