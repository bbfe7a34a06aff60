import JobClient
import JobCore
import JobPage
import JobWire
import LinuxSystem

/// One job until it ends or the person leaves.
final class JobScreen: WatchScreen {
  /// When a person enters the job's terminal, which ends this screen.
  struct Entrance {
    /// Not before; on `AwakeClock`.
    var opensAt: UInt64 = 0
    /// The person was inside before.
    var wasUsed = false
    /// Why it could not be entered.
    var complaint = ""

    /// The interval between two tries, in nanoseconds: the news of a job's end comes first.
    static let pause: UInt64 = 1_000_000_000
  }

  private var attachment: AttachedJob
  private let display: WatchDisplay
  /// Nil for jobs without a terminal for people.
  var entrance: Entrance?
  /// The job's terminal can be entered now.
  private(set) var hasEntered = false
  private var page = PageWatch()
  private var log: LogReader
  /// When the queue's order was last asked for.
  private var askedAt = AwakeClock.now()
  /// Something has happened that the display does not show yet.
  private var isDirty = true
  /// That waits until the terminal takes more.
  private var isDelayed = false
  /// The log was not read, because a picture came first.
  private var leavesLog = false
  private var isLost = false
  /// The values of the displayed clocks.
  private var clocks: JobViewModel.Clocks?

  /// Between two questions for the place in the queue, which no feed line tells.
  private static let queueInterval: UInt64 = 3_000_000_000

  init(_ job: JobStatus, display: WatchDisplay, steers: Bool, log: LogReader? = nil) {
    attachment = AttachedJob(job, steers: steers)
    attachment.estimates = display.style != .none
    attachment.isBrief = display.style != .json
    self.display = display
    self.log = log ?? LogReader(path: job.log)
  }

  func conclude(_ code: Int32?) throws(WireError) -> Int32 {
    if hasEntered {
      display.clear()
      return ExitCode.success
    }
    if entrance != nil { display.omitsOutputEnd = true }
    // The reader has left before the job's end, which must not look like success.
    let code = code ?? (attachment.steers ? leave() : ExitCode.success)
    if display.followsLog { display.endLog() }
    if attachment.job.state == .ended { display.conclude(attachment.job) } else { display.clear() }
    return code
  }

  func showRest(_ code: Int32) throws(WireError) -> Bool {
    guard showsRest else { return false }
    while let hasMore = try showLog() {
      if hasMore { continue }
      display.endLog()
      return display.holdsLog && code != ExitCode.detached
    }
    return code != ExitCode.detached
  }

  /// Also the output of a job that ended before its terminal was attached.
  private var showsRest: Bool {
    if let entrance, !entrance.wasUsed, attachment.job.state == .ended { return true }
    return display.followsLog
  }

  private func leave() -> Int32 {
    for case .finish(let code) in handle(.leave) { return code }
    return ExitCode.detached
  }

  var isClosed: Bool { display.isClosed || hasEntered }
  var departures: [(number: Int32, interest: Interest)] { display.departures }

  func readerLeft() { display.readerLeft() }
  var room: [(number: Int32, interest: Interest)] { display.room }

  func begin() { display.begin() }

  func end(_ input: TerminalInput) { display.settle(input) }

  func learn(mode: Int, value: Int) { display.learn(mode: mode, value: value) }

  func redraw() { isDirty = true }

  func clear() { display.clear() }

  func handle(_ event: WatchEvent) -> [WatchEffect] {
    if case .feed(let line) = event { display.show(line) }
    let wasDirty = isDirty
    guard let event = meant(event) else { return [] }
    let effects = attachment.handle(event, at: .present)
    isDirty = true
    if case .page = event {
      // A sample without a change only matters for the estimate.
      isDirty = wasDirty || page.hasChanged
      if page.hasMoved { display.tellProgress(attachment.model(at: .present)) }
    }
    for case .say(let sentence) in effects { display.say(sentence) }
    return effects
  }

  /// Keys before the attachment, or while the connection is broken, are meant for the job's terminal and steer
  /// nothing here; Ctrl-C cancels the job only before the first attachment.
  private func meant(_ event: WatchEvent) -> WatchEvent? {
    guard let entrance else { return event }
    switch event {
    case .key(0x1D): return .leave
    case .key: return nil
    case .interrupt where entrance.wasUsed: return .leave
    default: return event
    }
  }

  func look(_ link: RunnerLink, hasKeys: Bool) throws(WireError) -> [WatchEvent] {
    if let entrance, hasKeys, attachment.job.state == .running || attachment.job.state == .stalled,
      AwakeClock.now() >= entrance.opensAt
    {
      hasEntered = true
      return []
    }
    attachment.takesKeys = hasKeys
    isLost = link.isLost
    let snapshot = page.look(at: attachment.job, runtime: link.runtime)
    // A picture that has waited for the terminal comes first.
    leavesLog = display.followsLog && isDelayed && isDirty && !display.isBehind
    if display.followsLog, !leavesLog { _ = try showLog() }
    return snapshot.map { [.page($0)] } ?? []
  }

  /// Brings the display up to date, if anything has happened or a clock on it moves on.
  func draw(_ input: TerminalInput) throws(WireError) -> [WatchEffect] {
    if hasEntered { return [] }
    var effects: [WatchEffect] = []
    if let nextQuestion, AwakeClock.now() >= nextQuestion {
      askedAt = AwakeClock.now()
      effects.append(.ask(.show(attachment.reference)))
    }
    if input.hasKeys { display.askTerminal(at: .present) }
    // Drawing waits for a stuck terminal.
    guard !display.isBehind else {
      (isDirty, isDelayed) = (true, true)
      return effects
    }
    isDelayed = false
    let now = Moment.present
    let model = attachment.model(at: now)
    guard isDirty || model.clocks != clocks || display.isInBackground else { return effects }
    isDirty = false
    clocks = model.clocks
    display.show(model, at: now)
    return effects
  }

  func nextLook(isLost: Bool) -> UInt64? {
    if hasEntered || leavesLog { return AwakeClock.now() }
    let pace = WatchPace(
      style: display.style, state: attachment.job.state, rest: page.rest,
      isInBackground: display.isInBackground, isBehind: display.isBehind, isLost: isLost,
      followsLog: display.followsLog)
    let now = AwakeClock.now()
    return [pace.interval.map { now + $0 }, nextQuestion].compactMap { $0 }.min()
  }

  /// When the place in the queue is asked for next; nil when it is not.
  private var nextQuestion: UInt64? {
    guard attachment.job.state == .queued, !isLost else { return nil }
    switch display.style {
    case .live, .sparse: return askedAt + Self.queueInterval
    case .json, .none: return nil
    }
  }

  /// Shows new output; returns whether there was any, and nil if the terminal still has to take some: the rest is
  /// read later.
  private func showLog() throws(WireError) -> Bool? {
    guard !display.holdsLog else { return nil }
    let bytes = try WireError.from(.internal) { () throws(SystemError) in try log.next() }
    display.show(log: bytes)
    return !bytes.isEmpty && !display.isClosed
  }
}
