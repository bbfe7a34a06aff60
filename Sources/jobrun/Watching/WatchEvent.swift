import JobClient
import JobCore
import JobPage
import JobWire
import LinuxSystem

/// What happens while a person watches.
enum WatchEvent: Hashable {
  case feed(FeedLine)
  /// One of the jobs that were asked for as a list.
  case listed(JobStatus)
  case answered(Response, to: Request)
  /// The runner could not do what it was asked.
  case refused(WireError, of: Request)
  /// A look at the job's page.
  case page(PageSnapshot)
  /// Time has passed; comes about once a second.
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

/// What is to be done about it.
enum WatchEffect: Hashable {
  case ask(Request)
  /// One sentence for the person.
  case say(String)
  /// The watching is over, with this exit code.
  case finish(Int32)
}

/// What a person watches: decides what events bring about, and draws itself.
protocol WatchScreen: AnyObject {
  /// Whoever should read it has gone.
  var isClosed: Bool { get }
  /// For a poll: ready once they have.
  var departures: [(number: Int32, interest: Interest)] { get }
  func readerLeft()
  /// When it looks at what nobody announces, on `AwakeClock`; nil = not before something arrives.
  func nextLook(isLost: Bool) -> UInt64?

  func begin()
  func handle(_ event: WatchEvent) -> [WatchEffect]
  /// What happened that nobody announces: pages, logs, clocks.
  func look(_ link: RunnerLink, hasKeys: Bool) throws(WireError) -> [WatchEvent]
  /// Brings the terminal up to date; what is to be asked for that.
  func draw(_ input: TerminalInput) throws(WireError) -> [WatchEffect]
  /// The terminal says what it knows of a mode.
  func learn(mode: Int, value: Int)
  /// Something else has written there.
  func redraw()
  /// Gives the terminal back for a while.
  func clear()
  /// The last words, as long as nobody is waited for; the exit code. `code`: nil when the reader has left.
  func conclude(_ code: Int32?) throws(WireError) -> Int32
  func end(_ input: TerminalInput)
}
