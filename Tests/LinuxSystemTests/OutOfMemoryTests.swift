import LinuxSystem
import TestKit
import Testing

@Suite struct OutOfMemoryTests {
  private func write(_ text: String, to path: String) throws {
    try File.makeDirectories(File.parent(of: path))
    try File.writeAtomically(Array(text.utf8), to: path)
  }

  @Test(arguments: [
    ("0::/user/a\n", "/sys/fs/cgroup/user/a/memory.events", "low 0\noom 3\noom_kill "),
    ("4:cpu,memory:/b\n0::/\n", "/sys/fs/cgroup/memory/b/memory.oom_control", "oom_kill "),
    ("0::/\n", "/proc/vmstat", "pgfault 12\noom_kill "),
  ])
  func `a kill is seen where the kernel counts it`(
    groups: String, path: String, text: String
  ) throws {
    let scratch = try Scratch()
    try write(groups, to: scratch.path + "/proc/self/cgroup")
    try write("oom_kill 100\n", to: scratch.path + "/proc/vmstat")
    try write(text + "7\n", to: scratch.path + path)
    let kills = try #require(OutOfMemoryKills(root: scratch.path))
    #expect(!kills.hasGrown)
    try write(text + "8\n", to: scratch.path + path)
    #expect(kills.hasGrown)
  }

  @Test func `a kernel that does not count gives nothing`() throws {
    let scratch = try Scratch()
    #expect(OutOfMemoryKills(root: scratch.path) == nil)
    try write("pgfault 12\nnr_oom_kill 5\n", to: scratch.path + "/proc/vmstat")
    #expect(OutOfMemoryKills(root: scratch.path) == nil)
  }
}
