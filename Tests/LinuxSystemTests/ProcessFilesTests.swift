import LinuxSystem
import Testing

struct ProcessFilesTests {
  @Test func `regular files of descendants are found with their place, and pipes are not`() throws {
    let scratch = try Scratch()
    try File.writeAtomically(Array(repeating: 0, count: 5000), to: scratch.file("input"))
    // The pipe closes when this value goes: then `cat` ends and the shell with it.
    var pipe = try Pipe()
    let held = pipe.takeWriting()
    let reading = pipe.takeReading()
    var ready = try Pipe()
    let told = ready.takeReading()
    let telling = ready.takeWriting()
    let script = """
      exec 5< \(scratch.file("input")); head -c 1000 <&5 | wc -c >&4
      (cat <&3; true); true
      """
    var spawn = Spawn(["/bin/sh", "-c", script])
    spawn.descriptors = [.init(reading.number, as: 3), .init(telling.number, as: 4)]
    let pid = try spawn.start()
    var bytes: [UInt8] = []
    _ = try told.read(into: &bytes)
    let files = ProcessFiles.regularFiles(below: CurrentProcess.identifier)
      .filter { $0.path == scratch.file("input") }
    #expect(!files.isEmpty)
    #expect(files.allSatisfy { $0.size == 5000 })
    #expect(
      files.contains { String(decoding: $0.information ?? [], as: UTF8.self).contains("pos:") })
    #expect(ProcessFiles.descendants(of: CurrentProcess.identifier).contains(pid))
    _ = consume held
    _ = try ChildProcess.wait(pid)
  }

  @Test func `of many open files some are looked at, whoever has them open`() throws {
    let scratch = try Scratch()
    try File.writeAtomically([1], to: scratch.file("one"))
    // The pipe closes when this value goes: then every `cat` ends, and the shell with them.
    var pipe = try Pipe()
    let held = pipe.takeWriting()
    let reading = pipe.takeReading()
    var ready = try Pipe()
    let told = ready.takeReading()
    let telling = ready.takeWriting()
    let script = """
      exec 5< "$0" 6<&5 7<&5 8<&5 9<&5
      for _ in 0 1 2 3 4 5 6 7 8 9; do for _ in 0 1 2 3 4 5 6; do cat <&3 & done; done
      echo ready >&4; wait
      """
    var spawn = Spawn(["/bin/sh", "-c", script, scratch.file("one")])
    spawn.descriptors = [.init(reading.number, as: 3), .init(telling.number, as: 4)]
    let pid = try spawn.start()
    var bytes: [UInt8] = []
    _ = try told.read(into: &bytes)
    let files = ProcessFiles.regularFiles(below: pid)
    #expect(files.contains { $0.path == scratch.file("one") })
    // 64 processes are checked, each of which has it open five times.
    #expect(files.count <= ProcessFiles.maximumDescriptorsInAll)
    _ = consume held
    _ = consume reading
    _ = try ChildProcess.wait(pid)
  }

  @Test func `what is not known to answer at once is not asked`() throws {
    let lines = """
      22 27 0:21 / /proc rw,relatime - proc proc rw
      25 1 259:1 / / rw,relatime shared:1 master:2 - ext4 /dev/root rw
      31 25 0:40 / /home rw shared:9 - nfs4 server:/home rw,hard
      32 25 0:41 / /share rw - cifs //server/share rw
      33 25 0:42 / /far rw - fuse.sshfs me@server: rw
      34 25 0:43 / /tmp rw - tmpfs tmpfs rw
      35 25 259:7 / /cluster rw - gfs2 /dev/cluster rw
      36 25 0:44 / /pool rw unfinished
      """
    let table = MountTable(lines: Array(lines.utf8))
    #expect((20...40).filter { table.answersAtOnce($0) } == [25, 33, 34])
    #expect(MountTable(of: 0x3FFF_FFFF) == MountTable(lines: []))
  }

  @Test func `a process that is not there has no files`() {
    #expect(ProcessFiles.regularFiles(below: 0x3FFF_FFFF).isEmpty)
  }
}
