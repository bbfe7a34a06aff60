import JobClient
import JobCore
import JobWire
import LinuxSystem

/// Watches many jobs as one, until they have ended or the person leaves.
final class BatchLoop {
  private var jobs: BatchJobs
  /// When the person leaves at the latest, on `AwakeClock`; nil = never.
  private let deadline: UInt64?
  private let link: RunnerLink
  private let display: WatchDisplay
  private let input: TerminalInput
  private let talk: Output
  private let data: Output
  private var requests: [UInt64: Request] = [:]
  private var finished: Int32?
  private var isDirty = true
  private var drawnAt: UInt64 = 0

  /// Between two pictures: ends come in thousands.
  private static let pictureInterval: UInt64 = 100_000_000
  /// Between two looks at the clocks, and at whether the runner is back.
  private static let clockInterval: UInt64 = 1_000_000_000

  init(
    _ jobs: BatchJobs, link: RunnerLink, display: WatchDisplay, input: TerminalInput,
    talk: Output, data: Output, until deadline: UInt64? = nil
  ) {
    self.jobs = jobs
    self.deadline = deadline
    self.link = link
    self.display = display
    self.input = input
    self.talk = talk
    self.data = data
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
    if finished == nil { try handle(.leave) }
    display.clear()
    if finished != ExitCode.detached { conclude() }
    return finished ?? ExitCode.success
  }

  private func conclude() {
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
      guard !display.isQuiet || finished != ExitCode.success else { return }
      talk.write(line: jobs.conclusion(at: .present))
    }
  }

  private func turn() throws(WireError) {
    input.grabKeys()
    if link.isLost, try link.reconnect() { try handle(.connected) }
    try draw()
    guard finished == nil else { return }
    if let deadline, AwakeClock.now() >= deadline { return try handle(.leave) }
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

  private func draw() throws(WireError) {
    let now = AwakeClock.now()
    guard isDirty ? now - drawnAt >= Self.pictureInterval : now - drawnAt >= Self.clockInterval
    else { return }
    try perform(jobs.handle(.clock, at: .present))
    (isDirty, drawnAt) = (display.isBehind, now)
    display.show(jobs.glance(at: .present), at: .present)
  }

  private var nextLook: UInt64 {
    let now = AwakeClock.now()
    if link.isLost { return now + WatchPace.frame }
    let look = max(now, drawnAt) + (isDirty ? Self.pictureInterval : Self.clockInterval)
    return min(look, deadline ?? .max)
  }

  private func read(from number: Int32) throws(WireError) {
    let arrivals = try WireError.from(.internal) { () throws(SystemError) in
      try input.arrivals(on: number)
    }
    (isDirty, drawnAt) = (true, 0)
    for arrival in arrivals {
      switch arrival {
      case .key(let byte): try handle(.key(byte))
      case .interrupt: try handle(.interrupt)
      case .leave: try handle(.leave)
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
        requests[id] = nil
        if case .tally(let tally) = response { try handle(.tally(tally)) }
      case .reply(.error(let id, let error)):
        guard let id, let request = requests.removeValue(forKey: id) else { throw error }
        try handle(.refused(error, of: request))
      case .reply(.job), .host: continue
      }
    }
  }

  private func handle(_ event: BatchJobs.Event) throws(WireError) {
    isDirty = true
    try perform(jobs.handle(event, at: .present))
  }

  private func perform(_ effects: [BatchJobs.Effect]) throws(WireError) {
    for effect in effects {
      switch effect {
      case .ask(let request):
        guard let id = try link.send(request) else { return try handle(.lost) }
        requests[id] = request
      case .say(let sentence): display.say(sentence)
      case .finish(let code): finished = finished ?? code
      }
    }
  }
}
