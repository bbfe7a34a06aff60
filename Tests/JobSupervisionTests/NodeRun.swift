import JobPage
import LinuxSystem
import TestKit
import Testing

/// An attempt that was sent to this machine, under a real supervisor.
final class NodeRun {
  struct Missing: Error, CustomStringConvertible {
    var description: String
  }

  let folder: JobFolder
  let order: LaunchOrder
  private var nodes: [Int32] = []
  private var control = ControlPage()

  /// Makes the folder without starting a node.
  init(
    _ root: String, script: String, number: UInt64 = 12, grace: UInt64 = 30_000,
    pace: UInt32 = 50, environment: [String] = [],
    changing change: (inout LaunchOrder) -> Void = { _ in }
  ) throws {
    folder = JobFolder(store: root, number: number, attempt: 1)
    let token = RandomBytes.hexadecimal(count: 16)
    var order = LaunchOrder(
      record: folder.record, page: "/nowhere", log: "\(root)/\(number).log", stateDirectory: root,
      token: token, graceMilliseconds: grace,
      specification: LaunchSpecification(
        directory: Array(root.utf8), arguments: ["/bin/sh", "-c", script].map { Array($0.utf8) },
        environment: (["PATH=/usr/bin:/bin", "JOBRUN_TOKEN=\(token)"] + environment).map {
          Array($0.utf8)
        }))
    change(&order)
    self.order = order
    control.paceMilliseconds = pace
    try folder.make(
      order.encoded(),
      page: PageFile.content(number: number, attempt: 1, title: "A title", subtitle: ""),
      control: control)
  }

  deinit {
    for node in nodes { _ = try? ProcessDescriptor(node).signal(Signal.kill) }
    ProcessTree(root: nil, includesRoot: false, environmentEntry: order.environmentEntry).kill()
    for node in nodes { _ = try? LinuxSystem.ChildProcess.wait(node) }
  }

  /// Starts a supervisor.
  @discardableResult
  func start(environment: [String] = [], limits: String? = nil) throws -> Int32 {
    let node = try BuiltProducts.path("jobrun-shim")
    var spawn = LinuxSystem.Spawn([node, folder.path])
    if let limits {
      spawn.arguments = ["/bin/sh", "-c", "\(limits); exec \"$0\" \"$1\"", node, folder.path]
        .map { Array($0.utf8) }
    }
    spawn.environment = CurrentProcess.environment() + environment.map { Array($0.utf8) }
    let pid = try spawn.start()
    nodes.append(pid)
    return pid
  }

  /// Waits until a supervisor has left; its exit code.
  func exitCode(of node: Int32) throws -> Int32 {
    guard try Poll.wait(ProcessDescriptor(node).number, until: generousDeadline()) else {
      throw Missing(description: "the supervisor does not leave")
    }
    nodes.removeAll { $0 == node }
    guard case .exited(let code) = try LinuxSystem.ChildProcess.wait(node).status else {
      throw Missing(description: "the supervisor was killed")
    }
    return code
  }

  func tell(ringing node: Int32?, _ change: (inout ControlPage) -> Void) throws {
    change(&control)
    control.serial += 1
    try SharedPage.write(control.encoded(), to: File.open(folder.control, [.write]))
    if let node { try ProcessDescriptor(node).signal(Signal.user1) }
  }

  func record() throws -> RunRecord {
    try RunRecordFile(existing: folder.record).read()
  }

  func log() throws -> String {
    String(decoding: try File.readAll(order.log), as: UTF8.self)
  }

  /// How often its worker was told to stop; a shell also reports the commands that it lost.
  func timesTold() throws -> Int {
    try log().split(separator: "\n").count { $0 == "told" }
  }

  /// The mirror, as soon as it meets the condition.
  func mirror(when isSo: (Mirror) -> Bool) throws -> Mirror {
    let path = folder.mirror
    return try WaitFor.change(
      at: path, awaited: "what the mirror is to show", within: Deadline.timeout
    ) {
      (try? File.readAll(path)).flatMap { Mirror(decoding: $0) }.flatMap { isSo($0) ? $0 : nil }
    }
  }
}
