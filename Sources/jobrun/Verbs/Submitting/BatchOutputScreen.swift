import JobClient
import JobCore
import JobWire
import LinuxSystem

/// Many jobs as one, with their outputs above.
final class BatchOutputScreen: WatchScreen {
  private let screen: BatchScreen
  private var output: BatchOutput
  private let paths: Paths

  init(_ screen: BatchScreen, _ output: BatchOutput, paths: Paths) {
    self.screen = screen
    self.output = output
    self.paths = paths
  }

  var isClosed: Bool { screen.isClosed }
  var departures: [(number: Int32, interest: Interest)] { screen.departures }

  func readerLeft() { screen.readerLeft() }
  func begin() { screen.begin() }
  func end(_ input: TerminalInput) { screen.end(input) }
  func learn(mode: Int, value: Int) { screen.learn(mode: mode, value: value) }
  func redraw() { screen.redraw() }
  func clear() { screen.clear() }
  func nextLook(isLost: Bool) -> UInt64? { screen.nextLook(isLost: isLost) }
  func draw(_ input: TerminalInput) throws(WireError) -> [WatchEffect] { try screen.draw(input) }

  func handle(_ event: WatchEvent) -> [WatchEffect] {
    var effects = screen.handle(event)
    switch event {
    case .feed(.event(_, _, .ended, let job)): output.jobEnded(job.number)
    case .answered(.tally, _):
      // Ends before that were not announced to this client.
      output.beginList()
      effects.append(.ask(.list(all: false, brief: true)))
    case .listed(let job): output.list(job.number)
    case .answered(.count, to: .list): output.endList()
    default: break
    }
    return effects
  }

  func look(_ link: RunnerLink, hasKeys: Bool) throws(WireError) -> [WatchEvent] {
    if output.isReady {
      screen.clear()
      try output.printReady(paths)
      screen.redraw()
    }
    return try screen.look(link, hasKeys: hasKeys)
  }

  func conclude(_ code: Int32?) throws(WireError) -> Int32 {
    screen.clear()
    if let code, code != ExitCode.detached {
      output.endAll()
      try output.printReady(paths)
    }
    return try screen.conclude(code)
  }
}
