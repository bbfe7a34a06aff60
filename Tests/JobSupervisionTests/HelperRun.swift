import JobCore
import JobPage
import JobWire
import LinuxSystem
import TestKit
import Testing

/// A real helper of kind `host`, as its runner has it.
final class HelperRun {
  enum Passing { case nothing, pages }

  private let root: String
  private let store: String
  private let process: ProcessDescriptor
  private let input: FileDescriptor
  private let output: FileDescriptor
  private var lines = LineSplitter()
  private var last: EngineReport?
  private var tokens: [String] = []
  private var isOver = false
  /// The merged log of all attempts.
  private(set) var log: [UInt8] = []

  init(_ root: String, store: String = "abc") throws {
    self.root = root
    self.store = store
    var orders = try Pipe()
    var reports = try Pipe()
    let reading = orders.takeReading()
    let telling = reports.takeWriting()
    input = orders.takeWriting()
    output = reports.takeReading()
    var spawn = LinuxSystem.Spawn([try BuiltProducts.path("jobrun-engine"), "host"])
    spawn.descriptors = [.init(reading.number, as: 0), .init(telling.number, as: 1)]
    process = try spawn.startWatched()
    send(.hello(EngineGreeting(store: store, engine: "tower", folder: root)))
    guard case .ready = try next() else { throw unexpected() }
  }

  deinit {
    if !isOver { try? kill() }
    for token in tokens {
      _ = ProcessTree(
        root: nil, includesRoot: false, environmentEntry: Array("JOBRUN_TOKEN=\(token)".utf8)
      ).kill()
    }
  }

  func kill() throws {
    isOver = true
    _ = try process.signal(Signal.kill)
    _ = try LinuxSystem.ChildProcess.wait(process.pid)
  }

  func folder(of name: EngineAttempt) -> JobFolder {
    JobFolder(
      store: "\(root)/\(store)/tower", number: name.job.value, attempt: UInt64(name.attempt))
  }

  func send(_ order: EngineOrder, _ bytes: [UInt8] = []) {
    try? input.writeAll(order.line + bytes)
  }

  func launch(_ name: EngineAttempt, script: String) throws {
    let token = RandomBytes.hexadecimal(count: 16)
    tokens.append(token)
    let order = LaunchOrder(
      record: "", page: "", log: "", stateDirectory: root, token: token,
      graceMilliseconds: 30_000,
      specification: LaunchSpecification(
        directory: Array(root.utf8), arguments: ["/bin/sh", "-c", script].map { Array($0.utf8) },
        environment: ["PATH=/usr/bin:/bin", "JOBRUN_TOKEN=\(token)"].map { Array($0.utf8) }))
    let bytes = order.encoded()
    send(.launch(EngineLaunch(name, title: "A title", subtitle: "", bytes: bytes.count)), bytes)
  }

  /// The next report.
  func next(but passing: Passing = .nothing) throws -> EngineReport {
    while true {
      while case .line(let line)? = lines.next() {
        let report = try EngineReport(line: line)
        last = report
        if case .log(_, _, let bytes) = report {
          log += bytes
          continue
        }
        if passing == .pages, case .page = report { continue }
        return report
      }
      var bytes: [UInt8] = []
      guard try Poll.wait(output.number, until: generousDeadline()),
        case .bytes = try output.read(into: &bytes)
      else {
        throw NodeRun.Missing(description: "no further report after \(String(describing: last))")
      }
      lines.append(bytes)
    }
  }

  func unexpected() -> NodeRun.Missing {
    NodeRun.Missing(description: "another report than expected: \(String(describing: last))")
  }
}
