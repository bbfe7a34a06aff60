import Foundation
import JobClient
import JobWire
import TestKit
import Testing

/// The unit that starts the runner at login.
struct RunnerUnitTests {
  @Test func `what systemd would replace is doubled, and the home travels along`() {
    let unit = RunnerUnit(["HOME": "/home/x", "JOBRUN_HOME": "/j$1"])
    let text = unit.text(starting: "/opt/a b/50%/jobrund")
    #expect(unit.folder == "/home/x/.config/systemd/user")
    #expect(text.contains("ExecStart=\"/opt/a b/50%%/jobrund\"\n"))
    #expect(text.contains("Environment=\"HOME=/home/x\"\nEnvironment=\"JOBRUN_HOME=/j$1\"\n"))
    #expect(text.contains("KillMode=process\n"))
    #expect(text.contains("OOMPolicy=continue\n"))
    #expect(RunnerUnit(["HOME": "relative"]).folder == nil)
  }

  @Test func `it is this store's only if its text says so, and enabled only if it is linked`()
    throws
  {
    let sandbox = try Sandbox()
    let mine = RunnerUnit(["HOME": sandbox.work])
    let folder = try #require(mine.folder)
    try FileManager.default.createDirectory(
      atPath: folder + "/default.target.wants", withIntermediateDirectories: true)
    try Data(mine.text(starting: "/r").utf8).write(
      to: URL(fileURLWithPath: "\(folder)/\(RunnerUnit.name)"))
    #expect(!mine.isEnabled)
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/default.target.wants/\(RunnerUnit.name)",
      withDestinationPath: "../\(RunnerUnit.name)")
    #expect(mine.isEnabled)
    #expect(!RunnerUnit(["HOME": sandbox.work, "JOBRUN_HOME": "/another"]).isEnabled)
  }
}
