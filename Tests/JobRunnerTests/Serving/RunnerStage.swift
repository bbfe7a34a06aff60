import Glibc
import JobCore
import JobPage
import JobRunner
import JobWire
import LinuxSystem
import TestKit

/// A runner in this process, with a store in a folder of its own.
///
/// Its clients hold the other ends of socket pairs, and its jobs run in a `FakeExecutor`: no process is started.
/// It works while a client waits for a line, on the thread of the test.
final class RunnerStage {
  let runner: Runner
  let executor: FakeExecutor
  private let sandbox: Sandbox

  /// Begins with these settings, the text of `config.json`, beside files of an earlier runner in `sandbox`.
  init(settings: String = "{}", in sandbox: Sandbox? = nil) throws {
    let sandbox = try sandbox ?? Sandbox()
    self.sandbox = sandbox
    let paths = try Paths(
      environment: Environment(sandbox.environment), user: CurrentProcess.userIdentifier)
    try sandbox.write(settings, to: "../home/config.json")
    executor = FakeExecutor()
    runner = try Runner(
      home: try RunnerHome(paths), configuration: try Settings.parse(paths.configurationFile),
      executor: executor)
    executor.runtime = runner.runtime
    try runner.begin()
  }

  func connect() throws -> Client {
    var ends: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw SystemCallFailure("socketpair")
    }
    runner.accept(UnixConnection(owning: FileDescriptor(owning: ends[0])))
    return Client(UnixConnection(owning: FileDescriptor(owning: ends[1])), of: runner)
  }

  /// One end of a socket pair, whose other end the runner has.
  final class Client {
    let connection: UnixConnection
    private let runner: Runner
    private var lines = LineSplitter()

    /// The runner has closed the connection.
    struct Ended: Error {}

    fileprivate init(_ connection: consuming UnixConnection, of runner: Runner) {
      self.connection = connection
      self.runner = runner
    }

    func send(_ text: String) throws { try connection.sendAll(Array(text.utf8)) }

    func send(_ id: UInt64, _ request: Request) throws {
      try connection.sendAll(RequestLine(id: id, request).line)
    }

    /// A plain command under this key; the number that it got.
    func submit(
      _ key: String = RandomBytes.hexadecimal(count: 16), identifier: String = "org.example.job",
      input: JobInput = .none
    ) throws -> JobNumber {
      var job = SubmitRequest(
        key: key, identifier: identifier, title: "Job", speaksPage: false)
      job.details.input = input
      let file = try MemoryFile.make(
        LaunchSpecification(
          directory: Array("/".utf8), arguments: [Array("true".utf8)], environment: []
        ).encoded())
      try connection.sendAll(RequestLine(id: 99, .submit(job)).line, passing: file.number)
      let answer = try reply()
      guard case .ok(_, .submitted(let accepted, _, _)) = answer else {
        throw Overdue(awaited: "an accepted job", limit: .zero, seen: "\(answer)")
      }
      return accepted.number
    }

    func reply() throws -> ReplyLine {
      let message = try message()
      guard case .reply(let reply) = message else {
        throw Overdue(awaited: "an answer", limit: .zero, seen: "\(message)")
      }
      return reply
    }

    /// The one job of an answer.
    func job() throws -> JobStatus {
      let reply = try reply()
      guard case .ok(_, .job(let job, _)) = reply else {
        throw Overdue(awaited: "a job", limit: .zero, seen: "\(reply)")
      }
      return job
    }

    func message() throws -> RunnerLine { try RunnerLine(line: Array(try line().utf8)[...]) }

    /// The next line from the runner, which works until there is one.
    func line() throws -> String {
      let deadline = Deadline()
      while true {
        if case .line(let bytes)? = lines.next() { return String(decoding: bytes, as: UTF8.self) }
        var bytes: [UInt8] = []
        switch try connection.receive(into: &bytes).reading {
        case .bytes: lines.append(bytes)
        case .end: throw Ended()
        case .wouldBlock:
          if deadline.hasPassed {
            throw Overdue(awaited: "a line from the runner", limit: deadline.limit, seen: "")
          }
          try runner.step(until: Instant(nanoseconds: AwakeClock.now() + 1_000_000_000))
        }
      }
    }
  }
}
