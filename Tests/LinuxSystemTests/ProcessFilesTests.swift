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
    #expect(files.contains { String(decoding: $0.information, as: UTF8.self).contains("pos:") })
    #expect(ProcessFiles.descendants(of: CurrentProcess.identifier).contains(pid))
    _ = consume held
    _ = try ChildProcess.wait(pid)
  }

  @Test func `a process that is not there has no files`() {
    #expect(ProcessFiles.regularFiles(below: 0x3FFF_FFFF).isEmpty)
  }
}

struct ExtendedPatternTests {
  @Test func `groups hold what they matched, and one that took no part is empty`() throws {
    let pattern = try ExtendedPattern("at ([0-9]+)( of ([0-9]+))?")
    #expect(pattern.groupCount == 3)
    let found = pattern.groups(in: Array("now at 12 of 40".utf8))
    #expect(found?.map { String(decoding: $0, as: UTF8.self) } == ["12", " of 40", "40"])
    #expect(pattern.groups(in: Array("at 7".utf8))?.last == [])
    #expect(pattern.groups(in: Array("nowhere".utf8)) == nil)
    #expect(pattern.groups(in: [0xFF, 0, 0x31]) == nil)
  }

  @Test func `a pattern that makes no sense says why`() {
    let problem = #expect(throws: ExtendedPattern.Problem.self) { try ExtendedPattern("[a") }
    #expect(problem?.reason.isEmpty == false)
  }
}
