import Foundation
import JobCore
import JobPage
import JobWire
import LinuxSystem
import TestKit

/// A stand-in for the runner: a socket at the real one's path, with the test's answers.
///
/// It runs in the test's own thread: the program under test is another process, which waits.
final class FakeRunner {
  /// A connection from the program under test.
  final class Visitor {
    private var connection: UnixConnection?
    private var splitter = LineSplitter()
    /// The specifications beside the lines.
    private(set) var specifications: [LaunchSpecification] = []

    init(_ connection: consuming UnixConnection) {
      self.connection = consume connection
    }

    /// Hangs up, as a runner that dies.
    func close() {
      connection = nil
    }

    private var number: Int32 {
      get throws {
        guard let number = connection?.number else { throw Gone() }
        return number
      }
    }

    /// Waits for the next request.
    func request() throws -> RequestLine {
      while true {
        if case .line(let line) = splitter.next() { return try RequestLine(line: line) }
        try WaitFor.readable(number, "a request")
        var bytes: [UInt8] = []
        guard var reception = try connection?.receive(into: &bytes) else { throw Gone() }
        if let descriptor = reception.takeDescriptor() {
          let content = try MemoryFile.content(of: descriptor, limit: 1 << 20)
          specifications.append(try LaunchSpecification(decoding: content))
        }
        guard reception.reading != .end else { throw Gone() }
        splitter.append(bytes)
      }
    }

    func answer(_ id: UInt64, _ response: Response) throws {
      var bytes: [UInt8] = []
      ReplyLine.ok(id: id, response).append(to: &bytes)
      try tell(bytes)
    }

    func refuse(_ id: UInt64, _ error: WireError) throws {
      var bytes: [UInt8] = []
      ReplyLine.error(id: id, error).append(to: &bytes)
      try tell(bytes)
    }

    /// One job of a list.
    func tell(job: JobStatus, of id: UInt64) throws {
      var bytes: [UInt8] = []
      ReplyLine.job(id: id, job).append(to: &bytes)
      try tell(bytes)
    }

    func tell(_ line: FeedLine) throws {
      var bytes: [UInt8] = []
      line.append(to: &bytes)
      try tell(bytes)
    }

    /// Lines as they are written.
    func tell(_ bytes: [UInt8]) throws {
      try connection?.sendAll(bytes)
    }
  }

  /// The program closed its connection.
  struct Gone: Error {}

  private let listener: UnixListener

  /// Listens in the sandbox's runtime folder and publishes the path as a runner does.
  init(in sandbox: Sandbox) throws {
    let paths = try Paths(environment: Environment(sandbox.environment), user: 0)
    let runtime = paths.runtimeCandidates[0]
    try PrivateDirectory.prepare(paths.stateDirectory)
    try PrivateDirectory.prepare(Paths.pages(in: runtime))
    listener = try UnixListener(path: Paths.socket(in: runtime))
    let content = "\(Paths.socket(in: runtime))\n\(CurrentProcess.identifier)\n"
    try File.writeAtomically(Array(content.utf8), to: paths.runnerLock)
  }

  /// Waits for the next connection.
  func visitor() throws -> Visitor {
    while true {
      try WaitFor.readable(listener.number, "a connection")
      if let connection = try listener.accept() { return Visitor(connection) }
    }
  }
}
