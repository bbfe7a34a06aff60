import JobClient
import JobCore
import JobPage
import JobWire
import LinuxSystem

/// Watches one job until it ends or the person leaves: waits, hands events to the attachment and does
/// what it answers.
final class WatchLoop {
  private var attachment: AttachedJob
  private let display: WatchDisplay
  private let input: TerminalInput
  private let link: RunnerLink
  private var requests: [UInt64: Request] = [:]
  private var page: PageWatch
  private var log: LogTail
  private var finished: Int32?
  /// It was left because the terminal or somebody else wanted the whole program to end.
  private(set) var isDismissed = false
  /// When the queue's order was last asked for.
  private var askedAt: UInt64

  /// Something has happened that the display does not show yet.
  private var isDirty = true
  /// What the clocks on the display show.
  private var clocks: JobViewModel.Clocks?

  /// Between two questions for the place in the queue, which no feed line tells.
  private static let queueInterval: UInt64 = 3_000_000_000

  init(
    _ job: JobStatus, link: RunnerLink, display: WatchDisplay, input: TerminalInput, steers: Bool,
    log: LogTail? = nil
  ) {
    attachment = AttachedJob(job, steers: steers)
    attachment.estimates = display.style != .none
    attachment.isBrief = display.style != .json
    self.link = link
    self.display = display
    self.input = input
    page = PageWatch()
    self.log = log ?? LogTail(path: job.log)
    askedAt = AwakeClock.now()
  }

  /// Runs to the end; the exit code.
  func run() throws(WireError) -> Int32 {
    display.begin()
    defer {
      display.settle(input)
      input.releaseKeys()
    }
    do throws(WireError) {
      try handle(.connected)
      while finished == nil, !display.isClosed { try turn() }
    } catch {
      display.clear()
      throw error
    }
    // Whoever read has left; the job has not ended, and that must not look like success.
    if finished == nil, attachment.steers { try handle(.leave) }
    if display.followsLog {
      while try showLog() {}
      display.endLog()
    }
    if attachment.job.state == .ended { display.conclude(attachment.job) } else { display.clear() }
    return finished ?? ExitCode.success
  }

  private func turn() throws(WireError) {
    try lookAround()
    let descriptors = input.descriptors + (link.number.map { [$0] } ?? [])
    let ready = try WireError.from(.internal) { () throws(SystemError) in
      try Poll.wait(
        descriptors.map { ($0, .readable) } + display.departures, until: nextLook)
    }
    for readiness in ready {
      guard readiness.token < descriptors.count else { return display.readerLeft() }
      let number = descriptors[Int(readiness.token)]
      if number == link.number { try receive() } else { try read(from: number) }
    }
  }

  /// Everything that nobody announces: page, log, foreground, a runner that came back.
  private func lookAround() throws(WireError) {
    input.grabKeys()
    attachment.takesKeys = input.hasKeys
    if link.isLost, try link.reconnect() { try handle(.connected) }
    if let snapshot = page.look(at: attachment.job, runtime: link.runtime) {
      try receive(snapshot)
    }
    if display.followsLog { _ = try showLog() }
    try askForPlace()
    guard finished == nil else { return }
    draw()
    if input.hasKeys { display.askTerminal(at: .present) }
  }

  /// A look at which nothing has changed is news only for the estimate.
  private func receive(_ snapshot: PageSnapshot) throws(WireError) {
    let wasDirty = isDirty
    try handle(.page(snapshot))
    isDirty = wasDirty || page.hasChanged
    if page.hasMoved { display.tellProgress(attachment.glance(at: .present)) }
  }

  /// Brings the display up to date, if anything has happened or a clock on it moves on.
  private func draw() {
    // What a terminal that is stuck does not take now is drawn later.
    guard !display.isBehind else {
      isDirty = true
      return
    }
    let now = Moment.present
    let glance = attachment.glance(at: now)
    guard isDirty || glance.clocks != clocks || display.isInBackground else { return }
    isDirty = false
    clocks = glance.clocks
    display.show(glance, at: now)
  }

  private var nextLook: UInt64? {
    let pace = WatchPace(
      style: display.style, state: attachment.job.state, rest: page.rest,
      isInBackground: display.isInBackground, isBehind: display.isBehind, isLost: link.isLost,
      followsLog: display.followsLog)
    let now = AwakeClock.now()
    return [pace.interval.map { now + $0 }, nextQuestion].compactMap { $0 }.min()
  }

  /// When the place in the queue is asked for next; nil when it is not.
  private var nextQuestion: UInt64? {
    guard attachment.job.state == .queued, !link.isLost else { return nil }
    switch display.style {
    case .live, .sparse: return askedAt + Self.queueInterval
    case .json, .none: return nil
    }
  }

  private func askForPlace() throws(WireError) {
    guard let nextQuestion, AwakeClock.now() >= nextQuestion else { return }
    askedAt = AwakeClock.now()
    try perform(.ask(.show(attachment.reference)))
  }

  /// Shows what was written; whether there was anything.
  private func showLog() throws(WireError) -> Bool {
    let bytes = try WireError.from(.internal) { () throws(SystemError) in try log.next() }
    display.show(log: bytes)
    return !bytes.isEmpty && !display.isClosed
  }

  private func read(from number: Int32) throws(WireError) {
    let arrivals = try WireError.from(.internal) { () throws(SystemError) in
      try input.arrivals(on: number)
    }
    isDirty = true
    for arrival in arrivals {
      switch arrival {
      case .key(let byte): try handle(.key(byte))
      case .interrupt: try handle(.interrupt)
      case .leave:
        isDismissed = true
        try handle(.leave)
      case .redraw, .move, .escape: continue
      case .mode(let mode, let value): display.learn(mode: mode, value: value)
      case .stop:
        display.clear()
        input.stop()
      }
    }
  }

  private func receive() throws(WireError) {
    guard case .lines(let lines) = try link.receive() else { return try handle(.lost) }
    for line in lines where finished == nil {
      switch line {
      case .feed(let feed):
        display.show(feed)
        try handle(.feed(feed))
      case .reply(.ok(let id, let response)):
        if requests.removeValue(forKey: id) != nil { try handle(.answered(response)) }
      case .reply(.error(let id, let error)):
        guard let id, let request = requests.removeValue(forKey: id) else { throw error }
        try handle(.refused(error, of: request))
      case .reply(.job), .host: continue
      }
    }
  }

  private func handle(_ event: AttachedJob.Event) throws(WireError) {
    isDirty = true
    for effect in attachment.handle(event, at: .present) { try perform(effect) }
  }

  private func perform(_ effect: AttachedJob.Effect) throws(WireError) {
    switch effect {
    case .ask(let request):
      guard let id = try link.send(request) else { return try handle(.lost) }
      requests[id] = request
    case .say(let sentence): display.say(sentence)
    case .finish(let code): finished = finished ?? code
    }
  }
}
