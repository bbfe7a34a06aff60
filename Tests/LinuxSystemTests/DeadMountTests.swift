import LinuxSystem
import TestKit
import Testing

/// A mount whose server answers no more, as that of a network that has gone.
struct DeadMountTests {
  @Test func `an open file there is seen without waiting for the server`() throws {
    try withSandbox { sandbox in
      let program = sandbox.path("dead-mount")
      try StubLibrary.buildProgram("DeadMount/dead_mount.c", at: program, libraries: [])
      let folder = sandbox.path("mount")
      try File.makeDirectory(folder)
      let server = try sandbox.start(program, [folder])
      let told = try server.wait(for: "\n")
      // Without FUSE, or without the permission to mount, there is nothing to test.
      if told.hasPrefix("impossible: ") { try Test.cancel("\(told.dropLast())") }
      #expect(told == "dead\n")
      // A call that blocked would find nothing: the file disappears with the server, minutes later.
      let file = ProcessFiles.regularFiles(below: server.pid).first { $0.path == "\(folder)/big" }
      #expect(file?.size == 8 << 20)
      #expect(
        file.map { String(decoding: $0.information ?? [], as: UTF8.self) }?.contains("1000000")
          == true)
      #expect(server.isRunning)
      server.signal(9)
      _ = try server.wait()
    }
  }
}
