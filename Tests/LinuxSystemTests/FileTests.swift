import LinuxSystem
import TestKit
import Testing

struct FileTests {
  @Test func `an error names what was tried, on what, and why it failed`() {
    let error = #expect(throws: SystemError.self) { try File.readAll("/nowhere/at/all") }
    #expect(error?.description == "cannot open /nowhere/at/all: No such file or directory")
  }

  @Test func `a content past the limit is refused instead of filling the memory`() throws {
    let error = #expect(throws: SystemError.self) { try File.readAll("/dev/zero", limit: 1 << 20) }
    #expect(error?.number == SystemError.tooLarge)
  }

  @Test func `an atomic write leaves the new content and nothing beside it`() throws {
    let scratch = try Scratch()
    let path = scratch.file("config")
    try File.writeAtomically(Array("old".utf8), to: path)
    try File.writeAtomically(Array("new".utf8), to: path, durable: true)
    #expect(try text(path) == "new")
    #expect(try File.names(in: scratch.path) == ["config"])
    #expect(try File.status(path)?.mode == 0o600)
  }

  @Test func `a failed atomic write keeps the old content and cleans up`() throws {
    let scratch = try Scratch()
    let folder = scratch.file("folder")
    try File.makeDirectory(folder)
    #expect(throws: SystemError.self) { try File.writeAtomically([1], to: folder) }
    #expect(try File.names(in: scratch.path) == ["folder"])
  }

  @Test func `removing a tree does not follow links out of it`() throws {
    let scratch = try Scratch()
    let kept = scratch.file("kept")
    try File.makeDirectories(scratch.file("gone/deep"))
    try File.makeDirectory(kept)
    try File.writeAtomically([1], to: "\(kept)/precious")
    try shell("ln -s \(kept) \(scratch.file("gone/deep/link"))")
    try File.removeTree(scratch.file("gone"))
    #expect(File.exists("\(kept)/precious"))
    #expect(!File.exists(scratch.file("gone")))
  }

  @Test func `a lock keeps every other opening out until it is let go`() throws {
    let scratch = try Scratch()
    let path = scratch.file("lock")
    let second = try File.open(path, [.read, .write, .create])
    do {
      let first = try File.open(path, [.read, .write])
      #expect(try first.tryLock())
      #expect(try !second.tryLock())
    }
    // A child that another test started meanwhile holds it until its exec (fork(2)).
    try shell("flock -w 60 \(path) true")
    #expect(try second.tryLock())
  }

  @Test func `a folder with thousands of long names is listed whole`() throws {
    let scratch = try Scratch()
    try shell(
      "cd \(scratch.path) && seq -f '%0200.0f' 1 2000 | xargs touch")
    let names = try File.names(in: scratch.path)
    #expect(names.count == 2000)
    #expect(Set(names).count == 2000)
  }

  @Test(arguments: [("/a/b", "/a"), ("/a", "/"), ("a/b", "a"), ("a", ".")])
  func `the folder of a path is all before its last component`(_ pair: (String, String)) {
    #expect(File.parent(of: pair.0) == pair.1)
  }

  @Test func `a memory file gives back its content, wherever its position is`() throws {
    let file = try MemoryFile.make([1, 2, 3])
    var moved: [UInt8] = []
    _ = try file.read(into: &moved)
    #expect(try MemoryFile.content(of: file, limit: 3) == [1, 2, 3])
    let error = #expect(throws: SystemError.self) { try MemoryFile.content(of: file, limit: 2) }
    #expect(error?.number == SystemError.tooLarge)
  }

  @Test func `a pipe in place of a memory file is refused instead of waited for`() throws {
    var pipe = try Pipe()
    let reading = pipe.takeReading()
    let error = #expect(throws: SystemError.self) { try MemoryFile.content(of: reading, limit: 9) }
    #expect(error?.number == SystemError.invalid)
  }

  @Test func `the space of a file system is plausible and a local one is no network`() throws {
    let space = try FileSystemSpace(path: "/tmp")
    #expect(space.totalBytes >= space.freeBytes)
    #expect(space.totalBytes > 0)
    #expect(!space.isNetwork)
  }

  @Test func `a library that is not there is told in the loader's words`() {
    let problem = #expect(throws: DynamicLibrary.Problem.self) {
      _ = try DynamicLibrary("libnot-there.so.1")
    }
    #expect(problem?.description.contains("libnot-there.so.1") == true)
  }
}
