import Glibc
import JobPage
import LinuxSystem
import TestKit
import Testing

/// One attempt under a real shim: the order, the announcement pipe, the record.
final class Attempt {
  struct Missing: Error, CustomStringConvertible {
    var description: String
  }

  let shim: Int32
  let order: LaunchOrder
  private let hearing: FileDescriptor
  private var heard: [UInt8] = []
  private var shimEnd: ChildEnd?

  /// Starts the shim with a shell script as its worker.
  convenience init(
    _ folder: String, script: String, grace: UInt64 = 30_000, log: String? = nil,
    terminal: LaunchOrder.TerminalSize? = nil, limits: String? = nil, gate: Bool = false
  ) throws {
    if gate { #expect(unsafe mkfifo("\(folder)/gate", 0o600) == 0) }
    try self.init(
      folder, ["/bin/sh", "-c", script], grace: grace, log: log, terminal: terminal,
      limits: limits)
  }

  init(
    _ folder: String, _ arguments: [String], grace: UInt64 = 30_000, directory: String? = nil,
    environment: [String] = [], log: String? = nil, terminal: LaunchOrder.TerminalSize? = nil,
    limits: String? = nil, changing change: (inout LaunchOrder) -> Void = { _ in }
  ) throws {
    let token = RandomBytes.hexadecimal(count: 16)
    var order = LaunchOrder(
      record: "\(folder)/1.1", page: "\(folder)/page", log: log ?? "\(folder)/log",
      stateDirectory: folder,
      token: token, graceMilliseconds: grace,
      specification: LaunchSpecification(
        directory: Array((directory ?? folder).utf8), arguments: arguments.map { Array($0.utf8) },
        environment: (["PATH=/usr/bin:/bin", "JOBRUN_TOKEN=\(token)"] + environment).map {
          Array($0.utf8)
        }))
    order.terminal = terminal
    change(&order)
    self.order = order
    var pipe = try Pipe()
    hearing = pipe.takeReading()
    _ = try RunRecordFile(path: order.record)
    shim = try Self.start(order, pipe.takeWriting(), limits: limits)
  }

  /// Releases a worker that reads from `gate`.
  func openGate() throws {
    try File.open("\(order.stateDirectory)/gate", [.write]).writeAll([0x0A])
  }

  /// Starts another shim with the same order, as an uninformed runner would.
  static func start(
    _ order: LaunchOrder, _ listener: consuming FileDescriptor, limits: String? = nil
  ) throws -> Int32 {
    let channel = try MemoryFile.make(order.encoded())
    let shim = try BuiltProducts.path("jobrun-shim")
    var spawn = LinuxSystem.Spawn([shim])
    if let limits {
      spawn.arguments = ["/bin/sh", "-c", "\(limits); exec \"$0\"", shim].map { Array($0.utf8) }
    }
    spawn.descriptors = [.init(channel.number, as: 3), .init(listener.number, as: 4)]
    return try spawn.start()
  }

  deinit {
    let tree = ProcessTree(
      root: nil, includesRoot: false, environmentEntry: order.environmentEntry)
    if shimEnd == nil { try? signalShim(Signal.kill) }
    tree.kill()
    if shimEnd == nil { _ = try? LinuxSystem.ChildProcess.wait(shim) }
  }

  func signalShim(_ number: Int32) throws {
    try ProcessDescriptor(shim).signal(number)
  }

  /// Waits for the next announced line.
  func nextLine() throws -> RunRecord.Line {
    while true {
      if let end = heard.firstIndex(of: 0x0A) {
        let text = String(decoding: heard[..<end], as: UTF8.self)
        heard.removeFirst(end + 1)
        guard let line = RunRecord.Line(parsing: text) else { throw Missing(description: text) }
        return line
      }
      guard try Poll.wait(hearing.number, until: generousDeadline()),
        case .bytes = try hearing.read(into: &heard)
      else { throw Missing(description: "no further line from the shim") }
    }
  }

  func started() throws -> RunRecord.Started {
    guard case .started(let line) = try nextLine() else {
      throw Missing(description: "the first line is not `started`")
    }
    return line
  }

  func ended() throws -> RunRecord.Ended {
    guard case .ended(let line) = try nextLine() else {
      throw Missing(description: "the line is not `ended`")
    }
    #expect(try waitForShim() == .exited(0))
    return line
  }

  /// Waits until the shim has left.
  func waitForShim() throws -> ChildEnd.Status {
    guard try Poll.wait(ProcessDescriptor(shim).number, until: generousDeadline()) else {
      throw Missing(description: "the shim does not leave")
    }
    let end = try LinuxSystem.ChildProcess.wait(shim)
    shimEnd = end
    return end.status
  }

  func record() throws -> RunRecord {
    try RunRecordFile(path: order.record).read()
  }

  func log() throws -> String {
    String(decoding: try File.readAll(order.log), as: UTF8.self)
  }

  /// All living processes with the attempt's mark.
  func survivors() -> [ProcessIdentity] {
    ProcessTree(root: nil, includesRoot: false, environmentEntry: order.environmentEntry).members()
  }

  /// The same, once there are so many: a process in the middle of exec has no mark to be seen.
  func survivors(atLeast count: Int) throws -> [ProcessIdentity] {
    let deadline = generousDeadline()
    var found = survivors()
    while found.count < count {
      guard AwakeClock.now() < deadline else {
        throw Missing(description: "\(found.count) processes, not \(count)")
      }
      sched_yield()
      found = survivors()
    }
    return found
  }
}
