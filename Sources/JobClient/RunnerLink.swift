import JobCore
package import JobWire
import LinuxSystem

/// A connection to the runner that can break and be made again, starting a runner if need be.
package final class RunnerLink {
  package let places: Places
  private let program: String
  private var client: RunnerClient?
  private var start: RunnerStart?

  package init(places: Places, program: String) {
    self.places = places
    self.program = program
  }

  /// The connection broke and is not made again yet.
  package var isLost: Bool { client == nil }

  /// For a poll; nil while it is lost.
  package var number: Int32? { client?.number }

  /// The folder of socket and pages; nil before any runner was there.
  package var runtime: String? { RunnerStart.socket(places).map(File.parent(of:)) }

  /// Connects, waiting as long as a runner may take to start.
  package func connect() throws(WireError) {
    var start = start ?? newStart()
    client = RunnerClient(try start.connection())
    Offspring.add(start.child)
    self.start = nil
  }

  /// Connects if a runner is there already; whether it is.
  package func connectIfRunning() -> Bool {
    guard let connection = RunnerStart.connect(places) else { return false }
    client = RunnerClient(connection)
    return true
  }

  /// Tries once to connect again, starting a runner the first time; whether it worked.
  package func reconnect() throws(WireError) -> Bool {
    var start = start ?? newStart()
    guard let connection = try start.attempt() else {
      self.start = start
      return false
    }
    client = RunnerClient(connection)
    Offspring.add(start.child)
    self.start = nil
    return true
  }

  /// Sends a request; nil when the connection is lost.
  package func send(_ request: Request) throws(WireError) -> UInt64? {
    guard let id = try client?.send(request) else {
      client = nil
      return nil
    }
    return id
  }

  package func receive() throws(WireError) -> RunnerClient.Arrival {
    guard let arrival = try client?.receive(), case .lines = arrival else {
      client = nil
      return .lost
    }
    return arrival
  }

  /// Asks and waits for the answer, through lost connections: only for requests that may be repeated
  /// without harm.
  package func ask(
    _ request: Request, passing descriptor: Int32? = nil,
    eachJob: (JobObject) -> Void = { _ in }
  ) throws(WireError) -> Response {
    for _ in 0..<Self.tries {
      if client == nil { try connect() }
      if let response = try client?.ask(request, passing: descriptor, eachJob: eachJob) {
        return response
      }
      client = nil
    }
    throw WireError(
      .internal, "the runner broke the connection \(Self.tries) times; see \(places.runnerLog)")
  }

  /// A runner that dies of a request will do so again.
  private static let tries = 4

  private func newStart() -> RunnerStart {
    Offspring.reap()
    return RunnerStart(places: places, program: program)
  }
}

extension RunnerLink {
  /// Whether there is a connection, after one try to make it again if it was lost.
  package func reconnect(ifLost: Bool) throws(WireError) -> Bool {
    if !isLost { return true }
    return try reconnect()
  }
}
