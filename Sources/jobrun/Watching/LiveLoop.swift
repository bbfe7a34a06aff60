import JobClient
import JobCore
import JobWire
import LinuxSystem

/// Shows a screen until the end: waits, passes events to the screen and carries out its effects.
final class LiveLoop<Screen: WatchScreen> {
  private let screen: Screen
  private let link: RunnerLink
  private let input: TerminalInput
  private var requests: [UInt64: Request] = [:]
  private var finished: Int32?
  /// When the last key was read.
  private var typedAt: UInt64 = 0

  /// The rest of a key's sequence follows within this time.
  private static var escapeWait: UInt64 { 100_000_000 }

  init(_ screen: Screen, link: RunnerLink, input: TerminalInput) {
    self.screen = screen
    self.link = link
    self.input = input
  }

  /// Runs to the end; the exit code.
  ///
  /// `announce` may wait for a reader for as long as it takes: the runner knows by then that the jobs are followed.
  func run(
    announcing announce: () throws(WireError) -> Void = { () throws(WireError) in }
  ) throws(WireError) -> Int32 {
    screen.begin()
    defer {
      screen.end(input)
      input.releaseKeys()
    }
    do throws(WireError) {
      try handle(.connected)
      try announce()
      while finished == nil, !screen.isClosed { try turn() }
      try showRest()
      return try screen.conclude(finished)
    } catch {
      screen.clear()
      throw error
    }
  }

  private func turn() throws(WireError) {
    input.grabKeys()
    if link.isLost, try link.reconnect() { try handle(.connected) }
    if input.awaitsMore, AwakeClock.now() >= typedAt + Self.escapeWait, input.settle() != nil {
      try handle(.escape)
    }
    for event in try screen.look(link, hasKeys: input.hasKeys) { try handle(event) }
    guard finished == nil else { return }
    try perform(try screen.draw(input))
    let descriptors = input.descriptors + (link.number.map { [$0] } ?? [])
    let room = screen.room
    let ready = try WireError.from(.internal) { () throws(SystemError) in
      try Poll.wait(
        descriptors.map { ($0, .readable) } + room + screen.departures, until: nextLook)
    }
    for readiness in ready {
      guard readiness.token < descriptors.count else {
        if readiness.token >= descriptors.count + room.count { return screen.readerLeft() }
        continue
      }
      let number = descriptors[Int(readiness.token)]
      if number == link.number { try receive() } else { try read(from: number) }
    }
  }

  /// Prints the rest of the output, however long the terminal blocks; a person may leave without it.
  private func showRest() throws(WireError) {
    while let code = finished, !screen.isClosed, try screen.showRest(code) {
      let (descriptors, room) = (input.descriptors, screen.room)
      // The terminal has taken all in the meantime.
      if room.isEmpty { continue }
      let ready = try WireError.from(.internal) { () throws(SystemError) in
        try Poll.wait(
          descriptors.map { ($0, .readable) } + room + screen.departures, until: nil)
      }
      for readiness in ready {
        let place = Int(readiness.token)
        guard place < descriptors.count else {
          if place >= descriptors.count + room.count { screen.readerLeft() }
          continue
        }
        if try leaves(on: descriptors[place]) { return }
      }
    }
  }

  /// Whether a person leaves before the rest of the output.
  private func leaves(on number: Int32) throws(WireError) -> Bool {
    let arrivals = try WireError.from(.internal) { () throws(SystemError) in
      try input.arrivals(on: number)
    }
    for arrival in arrivals {
      switch arrival {
      case .interrupt, .leave, .key(UInt8(ascii: "d")), .key(UInt8(ascii: "D")): return true
      case .stop: input.stop()
      case .mode(let mode, let value): screen.learn(mode: mode, value: value)
      case .key, .move, .escape, .redraw: continue
      }
    }
    return false
  }

  private var nextLook: UInt64? {
    let escape = input.awaitsMore ? typedAt + Self.escapeWait : nil
    return [screen.nextLook(isLost: link.isLost), escape].compactMap { $0 }.min()
  }

  private func read(from number: Int32) throws(WireError) {
    let arrivals = try WireError.from(.internal) { () throws(SystemError) in
      try input.arrivals(on: number)
    }
    typedAt = AwakeClock.now()
    for arrival in arrivals where finished == nil {
      switch arrival {
      case .key(let byte): try handle(.key(byte))
      case .move(let move): try handle(.move(move))
      case .escape: try handle(.escape)
      case .interrupt: try handle(.interrupt)
      case .leave: try handle(.leave)
      case .mode(let mode, let value): screen.learn(mode: mode, value: value)
      case .redraw: screen.redraw()
      case .stop:
        screen.clear()
        input.stop()
      }
    }
  }

  private func receive() throws(WireError) {
    guard case .lines(let lines) = try link.receive() else { return try handle(.lost) }
    for line in lines where finished == nil {
      switch line {
      case .feed(let feed): try handle(.feed(feed))
      case .reply(.job(_, let job)): try handle(.listed(job))
      case .reply(.ok(let id, let response)):
        if let request = requests.removeValue(forKey: id) {
          try handle(.answered(response, to: request))
        }
      case .reply(.error(let id, let error)):
        guard let id, let request = requests.removeValue(forKey: id) else { throw error }
        try handle(.refused(error, of: request))
      case .host: continue
      }
    }
  }

  private func handle(_ event: WatchEvent) throws(WireError) {
    try perform(screen.handle(event))
  }

  private func perform(_ effects: [WatchEffect]) throws(WireError) {
    for effect in effects {
      switch effect {
      case .ask(let request):
        guard let id = try link.send(request) else { return try handle(.lost) }
        requests[id] = request
      case .say: break
      case .finish(let code): finished = finished ?? code
      }
    }
  }
}
