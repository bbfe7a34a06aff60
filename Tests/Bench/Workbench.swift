import Foundation
import JobCore
import JobWire
import LinuxSystem
import TestKit

/// A separate home with two slots, the release's executables, and the installed peers.
final class Workbench {
  let sandbox: Sandbox
  let paths: Paths
  /// How often every alternation goes round.
  let rounds: Int
  private let environment: [[UInt8]]

  /// On tmpfs, without disk latency.
  static let memory = "/dev/shm"

  /// `folder` is the parent folder of the home: on the disk, or in `memory`.
  init(
    rounds: Int, slots: Int = 2, historyCount: Int = 10_000, in folder: String = "/tmp"
  ) throws {
    self.rounds = rounds
    sandbox = try Sandbox(in: folder)
    paths = try Paths(
      environment: Environment(sandbox.environment), user: CurrentProcess.userIdentifier)
    var environment = sandbox.environment
    environment["TS_SOCKET"] = sandbox.root + "/tsp"
    environment["NQDIR"] = sandbox.path("nq")
    environment["PATH"]?.append(":/usr/sbin")
    self.environment = environment.map { Array("\($0.key)=\($0.value)".utf8) }
    try File.makeDirectory(sandbox.home)
    let settings = "{\"slots\": \(slots), \"historyLimit\": {\"count\": \(historyCount)}}"
    try Data(settings.utf8)
      .write(to: URL(fileURLWithPath: sandbox.home + "/config.json"))
  }

  /// The path of an executable of this build, or of one on the usual PATH; nil when it is neither.
  func executable(_ name: String) -> String? {
    if let path = try? BuiltProducts.path(name) { return path }
    return ["/usr/bin/", "/bin/", "/usr/local/bin/"].map { $0 + name }.first {
      File.isExecutable($0)
    }
  }

  /// Starts a process without output.
  func start(_ arguments: [String]) throws -> Int32 {
    let null = try File.open("/dev/null", [.read, .write])
    var spawn = Spawn(arguments, environment: environment)
    spawn.directory = Array(sandbox.work.utf8)
    spawn.descriptors = [0, 1, 2].map { .init(null.number, as: $0) }
    return try spawn.start()
  }

  /// Runs a process to its end; its exit code, 128 and more after a signal.
  @discardableResult
  func run(_ arguments: [String]) throws -> Int32 {
    switch try LinuxSystem.ChildProcess.wait(try start(arguments)).status {
    case .exited(let code): return code
    case .signalled(let number): return 128 + number
    }
  }

  /// Milliseconds from before a process's start until its end.
  func time(_ arguments: [String]) throws -> Double {
    let start = AwakeClock.now()
    let code = try run(arguments)
    let span = milliseconds(since: start)
    guard code == 0 else { throw Fault("\(arguments.joined(separator: " ")) ended with \(code)") }
    return span
  }

  func jobrun(_ arguments: String...) throws -> [String] {
    [try Self.command] + arguments
  }

  /// The measured program: the installed `jobrun` that the Makefile names, or the one of this build.
  static var command: String {
    get throws {
      try CurrentProcess.environmentValue("JOBRUN_BENCH_COMMAND") ?? BuiltProducts.path("jobrun")
    }
  }

  /// A new connection to the runner, which is started if necessary.
  func channel() throws -> Channel {
    try run(jobrun("list"))
    return try channelToRunner()
  }

  /// A new connection to the runner that is there.
  func channelToRunner() throws -> Channel { try Channel(socket: lock()[0]) }

  /// The folder of socket and pages.
  func runtime() throws -> String { File.parent(of: try lock()[0]) }

  /// The runner's process.
  func runner() throws -> ProcessFigures {
    guard let pid = Int32(try lock()[1]) else { throw Fault("no runner is there") }
    return ProcessFigures(pid: pid)
  }

  /// Socket and process of the runner that holds the lock.
  private func lock() throws -> [String] {
    let words = String(decoding: try File.readAll(paths.runnerLock), as: UTF8.self)
      .split(separator: "\n").map(String.init)
    guard words.count > 1 else { throw Fault("no runner holds \(paths.runnerLock)") }
    return words
  }

  /// Ends the runner, and the jobs with it.
  func stopRunner() throws { try run(jobrun("runner", "stop")) }

  func milliseconds(since start: UInt64) -> Double { Double(AwakeClock.now() - start) / 1e6 }
}

/// Why a figure could not be taken.
struct Fault: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) {
    self.description = description
  }
}
