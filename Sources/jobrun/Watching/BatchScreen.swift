import JobClient
import JobCore
import JobWire
import LinuxSystem

/// Many jobs as one, until they have ended or the person leaves.
final class BatchScreen: WatchScreen {
  private var jobs: BatchJobs
  /// When the person leaves at the latest, on `AwakeClock`; nil = never.
  private let deadline: UInt64?
  /// The outputs of the jobs, which are printed above; nil = none.
  private var output: BatchOutput?
  /// Whether one success was wanted of these jobs and there is one, asked when some have not succeeded.
  private let reaches: () throws(WireError) -> Bool
  private let display: WatchDisplay
  private let talk: Output
  private let data: Output
  private var isDirty = true
  private var drawnAt: UInt64 = 0
  private let began = AwakeClock.now()

  /// Between two pictures: ends come in thousands.
  private static let pictureInterval: UInt64 = 100_000_000
  /// The interval of clock updates and of attempts to reconnect.
  private static let clockInterval: UInt64 = 1_000_000_000

  init(
    _ jobs: BatchJobs, display: WatchDisplay, talk: Output, data: Output,
    until deadline: UInt64? = nil, output: BatchOutput? = nil,
    reaches: @escaping () throws(WireError) -> Bool = { () throws(WireError) in false }
  ) {
    self.reaches = reaches
    self.jobs = jobs
    self.output = output
    self.deadline = deadline
    self.display = display
    self.talk = talk
    self.data = data
  }

  var isClosed: Bool { display.isClosed }
  var departures: [(number: Int32, interest: Interest)] { display.departures }

  func readerLeft() { display.readerLeft() }
  var room: [(number: Int32, interest: Interest)] { display.room }

  func begin() {
    display.begin()
    if output != nil { data.stopWaiting() }
  }

  func end(_ input: TerminalInput) { display.settle(input) }

  func learn(mode: Int, value: Int) { display.learn(mode: mode, value: value) }

  func redraw() { (isDirty, drawnAt) = (true, 0) }

  func clear() { display.clear() }

  func handle(_ event: WatchEvent) -> [WatchEffect] {
    isDirty = true
    switch event {
    case .feed(let line): display.show(line)
    case .key, .interrupt, .leave: drawnAt = 0
    default: break
    }
    let effects = jobs.handle(event, at: .present)
    for case .say(let sentence) in effects { display.say(sentence) }
    return effects + (output?.take(event) ?? [])
  }

  func look(_ link: RunnerLink, hasKeys: Bool) throws(WireError) -> [WatchEvent] {
    try printOutput()
    if let leaving, AwakeClock.now() >= leaving { return [.leave] }
    return []
  }

  /// Prints what is ready of the outputs, as far as the terminal takes it.
  private func printOutput() throws(WireError) {
    guard output?.isReady ?? false, !display.isBehind else { return }
    clear()
    // The rest of the picture would stand within the output.
    guard !display.isBehind else { return }
    try output?.printReady()
    redraw()
  }

  func draw(_ input: TerminalInput) throws(WireError) -> [WatchEffect] {
    if output?.isWithin ?? false { return [] }
    let now = AwakeClock.now()
    guard isDirty ? now - drawnAt >= Self.pictureInterval : now - drawnAt >= Self.clockInterval
    else { return [] }
    let effects = handle(.clock)
    (isDirty, drawnAt) = (display.isBehind, now)
    display.show(jobs.model(at: .present), at: .present)
    return effects
  }

  func nextLook(isLost: Bool) -> UInt64? {
    let now = AwakeClock.now()
    if isLost { return now + WatchPace.frame }
    let look = max(now, drawnAt) + (isDirty ? Self.pictureInterval : Self.clockInterval)
    return min(look, leaving ?? .max)
  }

  /// The deadline; a runner that has not answered yet gets the time to do so.
  private var leaving: UInt64? {
    jobs.isAnswered ? deadline : deadline.map { max($0, began &+ Program.answerTime) }
  }

  func showRest(_ code: Int32) throws(WireError) -> Bool {
    guard code != ExitCode.detached, output != nil else { return false }
    output?.endAll()
    try printOutput()
    return display.isBehind || output?.isReady ?? false
  }

  func conclude(_ code: Int32?) throws(WireError) -> Int32 {
    var code = code
    if let ended = code, ended != ExitCode.success, ended != ExitCode.detached, jobs.succeeded > 0,
      try reaches()
    {
      (jobs.isReached, code) = (true, ExitCode.success)
    }
    if code == nil { for case .finish(let left) in handle(.leave) { code = left } }
    display.clear()
    if code != ExitCode.detached { tellEnd(code) }
    return code ?? ExitCode.success
  }

  private func tellEnd(_ code: Int32?) {
    switch display.style {
    case .json:
      var writer = JSONWriter()
      writer.beginObject()
      writer.field("succeeded", jobs.succeeded)
      writer.field("failed", jobs.tally.failed)
      writer.field("cancelled", jobs.tally.cancelled)
      writer.field("unknown", jobs.unknown)
      writer.endObject()
      data.write(json: writer.bytes + [UInt8(ascii: "\n")])
    case .live, .sparse, .none:
      guard !display.isQuiet || code != ExitCode.success else { return }
      talk.write(line: jobs.conclusion(at: .present))
    }
  }
}
