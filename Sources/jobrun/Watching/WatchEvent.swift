import JobClient
import JobCore
import JobPage
import JobWire
import LinuxSystem

/// The events of a watching terminal.
enum WatchEvent: Hashable {
  case feed(FeedLine)
  /// One of the jobs that were asked for as a list.
  case listed(JobStatus)
  case answered(Response, to: Request)
  /// The runner refused a request.
  case refused(WireError, of: Request)
  /// A sample of the job's page.
  case page(PageSnapshot)
  /// Time has passed; about once a second.
  case clock
  /// One byte from the keyboard.
  case key(UInt8)
  case move(KeyMove)
  /// The Escape key.
  case escape
  /// Ctrl-C.
  case interrupt
  /// TERM, HUP, or the terminal is gone.
  case leave
  /// The connection to the runner broke, or is there again.
  case lost
  case connected
}

/// The reaction to an event.
enum WatchEffect: Hashable {
  case ask(Request)
  /// One sentence for the person.
  case say(String)
  /// The watching is over, with this exit code.
  case finish(Int32)
}

/// A watched screen: decides the effects of events, and draws itself.
protocol WatchScreen: AnyObject {
  /// Whether the reader has gone.
  var isClosed: Bool { get }
  /// For a poll: ready once the reader has gone.
  var departures: [(number: Int32, interest: Interest)] { get }
  func readerLeft()
  /// For a poll: ready once a terminal that has not accepted all output takes more.
  var room: [(number: Int32, interest: Interest)] { get }
  /// When to check sources without events, on `AwakeClock`; nil = only after an event.
  func nextLook(isLost: Bool) -> UInt64?

  func begin()
  func handle(_ event: WatchEvent) -> [WatchEffect]
  /// The changes in sources without events: pages, logs, clocks.
  func look(_ link: RunnerLink, hasKeys: Bool) throws(WireError) -> [WatchEvent]
  /// Updates the terminal; returns the necessary requests.
  func draw(_ input: TerminalInput) throws(WireError) -> [WatchEffect]
  /// The terminal's reply about a mode.
  func learn(mode: Int, value: Int)
  /// Redraws after another program has written to the terminal.
  func redraw()
  /// Gives the terminal back for a while.
  func clear()
  /// Prints more of the jobs' output before the end, as far as the terminal takes it; false once there is no more.
  /// `code`: the exit code to come.
  func showRest(_ code: Int32) throws(WireError) -> Bool
  /// The final output, once nothing is awaited; returns the exit code. `code`: nil when the reader has left.
  func conclude(_ code: Int32?) throws(WireError) -> Int32
  func end(_ input: TerminalInput)
}

extension WatchScreen {
  var room: [(number: Int32, interest: Interest)] { [] }

  func showRest(_ code: Int32) throws(WireError) -> Bool { false }
}
