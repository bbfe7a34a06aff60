import JobCore
import JobPage
import JobWire
import LinuxSystem

/// One connection to the runner for load: many requests on their way at once.
final class Channel {
  private let connection: UnixConnection
  private var splitter = LineSplitter()
  private var lastIdentifier: UInt64 = 0

  /// The maximum of unanswered requests: as many as the runner reads at once.
  private static let window = 32

  init(socket: String) throws {
    connection = try UnixConnection(connectingTo: socket)
  }

  /// For a poll.
  var number: Int32 { connection.number }

  @discardableResult
  func send(
    _ request: Request, passing descriptor: Int32? = nil, and second: Int32? = nil
  ) throws -> UInt64 {
    lastIdentifier += 1
    var bytes: [UInt8] = []
    RequestLine(id: lastIdentifier, request).append(to: &bytes)
    try connection.sendAll(bytes, passing: descriptor, and: second)
    return lastIdentifier
  }

  /// Waits for lines; `deadline` is on the awake clock.
  func lines(until deadline: UInt64? = nil) throws -> [RunnerLine] {
    var lines: [RunnerLine] = []
    while lines.isEmpty {
      guard try Poll.wait(connection.number, .readable, until: deadline) else {
        throw Fault("the runner says nothing more")
      }
      lines = try linesThere()
    }
    return lines
  }

  /// The lines that are there.
  func linesThere() throws -> [RunnerLine] {
    var bytes: [UInt8] = []
    guard try connection.receive(into: &bytes).reading != .end else {
      throw Fault("the runner closed the connection")
    }
    splitter.append(bytes)
    var lines: [RunnerLine] = []
    while let element = splitter.next() {
      guard case .line(let line) = element else { throw Fault("a line that is too long") }
      lines.append(try RunnerLine(line: line))
    }
    return lines
  }

  /// Discards the bytes received; returns their number.
  func drain() throws -> Int {
    var bytes: [UInt8] = []
    guard try connection.receive(into: &bytes).reading != .end else {
      throw Fault("the runner closed the connection")
    }
    return bytes.count
  }

  /// Submits a plain command `count` times; returns the jobs' numbers.
  func submit(_ command: [String], count: Int) throws -> [JobNumber] {
    let memory = try Self.specification(of: command)
    var numbers: [JobNumber] = []
    var sent = 0
    while numbers.count < count {
      while sent < count, sent - numbers.count < Self.window {
        try send(.submit(Self.request(sent)), passing: memory.number)
        sent += 1
      }
      for case .reply(let reply) in try lines() {
        switch reply {
        case .ok(_, .submitted(let job, _, _)): numbers.append(job.number)
        case .error(_, let error): throw error
        case .ok, .job: continue
        }
      }
    }
    return numbers
  }

  /// Submits a plain command as a batch of `count` jobs with one input each; returns the seconds taken.
  func submitMany(_ command: [String], count: Int) throws -> Double {
    let memory = try Self.specification(of: command + ["{}"])
    let start = AwakeClock.now()
    let inputs = try MemoryFile.make((1...count).flatMap { Array("\($0)".utf8) + [0] })
    var request = Self.request(count)
    request.title = "bench {}"
    try send(
      .submitMany(ManyRequest(request, count: count, width: 1)), passing: memory.number,
      and: inputs.number)
    for case .reply(let reply) in try lines() {
      if case .error(_, let error) = reply { throw error }
    }
    return Double(AwakeClock.now() - start) / 1e9
  }

  private static func specification(of command: [String]) throws -> FileDescriptor {
    let specification = LaunchSpecification(
      directory: Array("/".utf8), arguments: command.map { Array($0.utf8) },
      environment: [Array("PATH=/usr/bin:/bin".utf8)])
    return try MemoryFile.make(specification.encoded())
  }

  private static func request(_ number: Int) -> SubmitRequest {
    let key = RandomBytes.hexadecimal(count: 16)
    return SubmitRequest(
      key: key, identifier: "io.jobrun.run.bench\(key)", title: "bench \(number)",
      speaksPage: false)
  }
}
