import Foundation
import Glibc
import JobPage
import JobWire
import LinuxSystem
import TestKit
import Testing

/// A job with a fake control group, a folder with the kernel's files.
///
/// It shows all writes with their times on machines without controllers.
@Suite struct FakeGroupTests {
  private let workshop: Workshop
  private let group: ControlGroup

  init() throws {
    workshop = try Workshop()
    group = ControlGroup(path: workshop.sandbox.path("fake-group"))
    try group.make()
    for name in ["cgroup.procs", "cpu.weight", "io.weight", "cpu.idle"] {
      try File.writeAtomically([], to: "\(group.path)/\(name)")
    }
    try workshop.defineGated("gated")
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    try workshop.killRunner()
    let path = workshop.sandbox.home + "/state/runs/1.1.order"
    var order = try LaunchOrder(decoding: try File.readAll(path))
    order.group = group.path
    try File.writeAtomically(order.encoded(), to: path)
    #expect(try workshop.show(1).controlGroup == true)
  }

  private func await(weight: String) throws {
    try WaitFor.file("\(group.path)/cpu.weight", contains: "\(weight)\n")
    try WaitFor.file("\(group.path)/io.weight", contains: "default \(weight)\n")
  }

  @Test func `it is weighed down when nobody watches it, and back when somebody does`() throws {
    try self.await(weight: "25")
    for _ in 1...3 {
      let terminal = try Pseudoterminal(columns: 100)
      let attached = try workshop.start("attach", "1", on: terminal)
      try self.await(weight: "100")
      attached.signal(SIGKILL)
      try self.await(weight: "25")
      _ = try attached.wait()
    }
    try workshop.jobrun("cancel", "1", "--now")
  }
}
