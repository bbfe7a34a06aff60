import LinuxSystem
import Testing

struct PrivateDirectoryTests {
  @Test func `a missing folder is made with the folders above it, for its owner only`() throws {
    let scratch = try Scratch()
    let path = scratch.file("a/b/c")
    try PrivateDirectory.prepare(path)
    #expect(try File.status(path)?.mode == 0o700)
    try PrivateDirectory.prepare(path)
  }

  @Test func `a folder of ours that lets others in is tightened`() throws {
    let scratch = try Scratch()
    let path = scratch.file("open")
    try File.makeDirectory(path)
    try File.setPermissions(0o755, path)
    try PrivateDirectory.prepare(path)
    #expect(try File.status(path)?.mode == 0o700)
  }

  @Test func `a symbolic link is refused by name, even to a folder of ours`() throws {
    let scratch = try Scratch()
    let link = scratch.file("link")
    try File.makeDirectory(scratch.file("real"))
    try shell("ln -s real \(link)")
    let problem = #expect(throws: DirectoryError.self) { try PrivateDirectory.prepare(link) }
    #expect(problem == .symbolicLink(path: link))
    #expect(problem?.description.contains(link) == true)
  }

  @Test func `a file in its place is refused`() throws {
    let scratch = try Scratch()
    let path = scratch.file("file")
    try File.writeAtomically([], to: path)
    let problem = #expect(throws: DirectoryError.self) { try PrivateDirectory.prepare(path) }
    #expect(problem == .notDirectory(path: path))
  }

  @Test func `a folder of another user is refused`() throws {
    // The superuser can give a folder away; other users find a foreign one in the root folder.
    let scratch = try Scratch()
    var path = "/usr"
    if CurrentProcess.userIdentifier == 0 {
      path = scratch.file("given")
      try File.makeDirectory(path)
      try shell("chown 12345 \(path)")
    }
    let owner = try #require(try File.status(path)).owner
    let problem = #expect(throws: DirectoryError.self) { try PrivateDirectory.prepare(path) }
    #expect(problem == .foreign(path: path, owner: owner))
  }
}
