import LinuxSystem
import Testing

struct UnixSocketTests {
  /// Both ends of a connection through `path`.
  private func connected(_ path: String) throws -> Ends {
    let listener = try UnixListener(path: path)
    let client = try UnixConnection(connectingTo: path)
    #expect(try Poll.wait(listener.number, until: generousDeadline()))
    guard let server = try listener.accept() else { throw NothingCame() }
    return Ends(client: client, server: server)
  }

  @Test(arguments: [10, 107, 108, 400])
  func `a socket works at a path of any length`(_ length: Int) throws {
    let scratch = try Scratch()
    var folder = scratch.path
    while folder.utf8.count + 8 < length {
      let room = length - folder.utf8.count - 8
      folder += "/" + String(repeating: "d", count: min(room, 200))
    }
    try File.makeDirectories(folder)
    let path = folder + "/" + String(repeating: "s", count: max(1, length - folder.count - 1))
    #expect(path.utf8.count >= length)
    let ends = try connected(path)
    try ends.client.sendAll(Array("hello\n".utf8))
    #expect(try Poll.wait(ends.server.number, until: generousDeadline()))
    var bytes: [UInt8] = []
    _ = try ends.server.receive(into: &bytes)
    #expect(bytes == Array("hello\n".utf8))
    #expect(try File.status(path)?.kind == .socket)
    #expect(try File.status(path)?.mode == 0o600)
  }

  @Test func `a descriptor travels with a line and stays usable`() throws {
    let scratch = try Scratch()
    let ends = try connected(scratch.file("s"))
    do {
      let content = try MemoryFile.make([0xFF, 0, 0x80])
      try ends.client.sendAll(Array("submit\n".utf8), passing: content.number)
    }
    var bytes: [UInt8] = []
    var reception = try ends.server.receive(into: &bytes)
    guard let passed = reception.takeDescriptor() else { throw NothingCame() }
    #expect(bytes == Array("submit\n".utf8))
    #expect(try MemoryFile.content(of: passed, limit: 9) == [0xFF, 0, 0x80])
  }

  @Test func `the peer is known, and its leaving is the end`() throws {
    let scratch = try Scratch()
    var ends = try connected(scratch.file("s"))
    let peer = try ends.server.peer()
    #expect(peer.user == CurrentProcess.userIdentifier)
    #expect(peer.pid == CurrentProcess.identifier)
    var bytes: [UInt8] = []
    #expect(try ends.server.receive(into: &bytes).reading == .wouldBlock)
    ends.closeClient()
    #expect(try ends.server.receive(into: &bytes).reading == .end)
    #expect(throws: SystemError.self) { try ends.server.sendAll([1]) }
  }

  @Test func `a reader that does not read makes the sender wait at most until its deadline`() throws
  {
    let scratch = try Scratch()
    let ends = try connected(scratch.file("s"))
    let error = #expect(throws: SystemError.self) {
      try ends.client.sendAll([UInt8](repeating: 1, count: 8 << 20), until: AwakeClock.now())
    }
    #expect(error?.number == SystemError.wouldBlock)
  }

  @Test func `nobody listening and a stale socket are told apart from other problems`() throws {
    let scratch = try Scratch()
    let path = scratch.file("s")
    var error = #expect(throws: SystemError.self) { _ = try UnixConnection(connectingTo: path) }
    #expect(error?.number == SystemError.notFound)
    _ = try UnixListener(path: path)
    error = #expect(throws: SystemError.self) { _ = try UnixConnection(connectingTo: path) }
    #expect(error?.number == SystemError.connectionRefused)
    error = #expect(throws: SystemError.self) { _ = try UnixListener(path: path) }
    #expect(error?.number == SystemError.addressInUse)
  }
}

/// A connection or a descriptor that should have arrived has not.
private struct NothingCame: Error {}

/// The two ends of one connection.
private struct Ends: ~Copyable {
  var client: UnixConnection
  let server: UnixConnection

  mutating func closeClient() {
    // Replacing the connection closes the old one.
    client = UnixConnection(owning: FileDescriptor(owning: -1))
  }
}
