import LinuxSystem
import Testing

/// Reading and writing a control group's files, with a fake one: a folder.
struct ControlGroupTests {
  private func write(_ text: String, to path: String) throws {
    try File.makeDirectories(File.parent(of: path))
    try File.writeAtomically(Array(text.utf8), to: path)
  }

  private func own(_ group: String, mounts: String) throws -> String? {
    let scratch = try Scratch()
    try write(group, to: scratch.path + "/proc/self/cgroup")
    try write(mounts, to: scratch.path + "/proc/self/mountinfo")
    return ControlGroup.own(root: scratch.path)?.path
  }

  private static let version1 =
    "32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu\n"

  @Test(
    arguments: [
      (
        "0::/user.slice/a\n",
        "30 24 0:26 / /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw,nsdelegate\n",
        "/sys/fs/cgroup/user.slice/a"
      ),
      (
        "4:cpu:/x\n0::/a\n",
        version1 + "38 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n",
        "/sys/fs/cgroup/unified/a"
      ),
      ("0::/\n", "30 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n", "/sys/fs/cgroup"),
      (
        "0::/box/a\n", "30 24 0:26 /box /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
        "/sys/fs/cgroup/a"
      ),
      ("0::/boxes/a\n", "30 24 0:26 /box /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n", nil),
      ("0::/../a\n", "30 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n", nil),
      ("0::/a\n", version1, nil), ("4:cpu:/x\n", "30 24 0:26 / /g rw - cgroup2 cgroup2 rw\n", nil),
    ] as [(String, String, String?)])
  func `its own group is where it is mounted`(
    group: String, mounts: String, expected: String?
  ) throws {
    #expect(try own(group, mounts: mounts) == expected)
  }

  @Test func `before the kernel could end a group, each of its processes is ended`() throws {
    let scratch = try Scratch()
    let group = ControlGroup(path: scratch.path)
    let child = try Spawn(["sleep", "1000"], environment: []).start()
    try write("1\n\(CurrentProcess.identifier)\n", to: scratch.file("cgroup.procs"))
    try write("", to: scratch.file("cgroup.freeze"))
    try write("0\n\(child)\n", to: scratch.file("below/cgroup.procs"))
    #expect(!group.kill(), "whether it stood still is not told")
    let ended = try ProcessDescriptor(child)
    #expect(try Poll.wait(ended.number, until: generousDeadline()))
    _ = try ChildProcess.reap(child)
    #expect(try File.readAll(scratch.file("cgroup.freeze")) == Array("0\n".utf8))
  }

  @Test func `what it has used is read, and what a kernel does not tell is nil`() throws {
    let scratch = try Scratch()
    let group = ControlGroup(path: scratch.path)
    #expect(group.cpuMicroseconds == nil && group.peakBytes == nil && group.transferred == nil)
    #expect(!group.isPopulated && !group.kill() && !group.setFrozen(true))
    try write("usage_usec 1500\nuser_usec 1000\n", to: scratch.file("cpu.stat"))
    try write("4096\n", to: scratch.file("memory.peak"))
    try write(
      "8:0 rbytes=100 wbytes=20 rios=1\n253:1 rbytes=1 wbytes=2 dbytes=7\n",
      to: scratch.file("io.stat"))
    try write("populated 1\nfrozen 0\n", to: scratch.file("cgroup.events"))
    #expect(group.cpuMicroseconds == 1500 && group.peakBytes == 4096)
    #expect(group.transferred == BytesTransferred(read: 101, written: 22))
    // Unsynced data was counted when it was written.
    #expect(
      BytesTransferred(read: 7, written: 4096).most(group.transferred)
        == BytesTransferred(read: 101, written: 4096))
    #expect(group.isPopulated && !group.isFrozen)
  }

  @Test func `controllers are given and taken one by one`() throws {
    let scratch = try Scratch()
    let group = ControlGroup(path: scratch.path)
    #expect(!group.enable("cpu"))
    try write("", to: scratch.file("cgroup.subtree_control"))
    #expect(group.enable("memory"))
    #expect(try text(scratch.file("cgroup.subtree_control")) == "+memory\n")
  }

  @Test func `a kill for memory in the group is its own`() throws {
    let scratch = try Scratch()
    let group = ControlGroup(path: scratch.path)
    try write("oom 0\noom_kill 0\n", to: scratch.file("memory.events"))
    let kills = try #require(OutOfMemoryKills(of: group, root: scratch.path))
    #expect(!kills.hasGrown)
    try write("oom 1\noom_kill 1\n", to: scratch.file("memory.events"))
    #expect(kills.hasGrown)
  }

  @Test func `a program does not start in what is no group, and that is told from its own faults`()
    throws
  {
    let scratch = try Scratch()
    let folder = try File.open(scratch.path, [.read, .directory])
    var spawn = Spawn(["/bin/true"])
    spawn.controlGroup = folder.number
    let error = #expect(throws: SystemError.self) { try spawn.start() }
    #expect(error?.operation == Spawn.enteringGroup)
  }
}
