import LinuxSystem
import TestKit
import Testing

/// A separate folder for one test, removed with its content when the value is destroyed.
struct Scratch: ~Copyable {
  let path: String

  init() throws {
    path = "/tmp/linux-system-\(RandomBytes.hexadecimal(count: 8))"
    try File.makeDirectory(path)
  }

  deinit {
    try? File.removeTree(path)
  }

  func file(_ name: String) -> String { "\(path)/\(name)" }
}

/// Far enough away that only a defect reaches it.
func generousDeadline() -> UInt64 { AwakeClock.now() + 180_000_000_000 }

func text(_ path: String) throws -> String {
  String(decoding: try File.readAll(path), as: UTF8.self)
}

/// Runs a shell script to its end, which is to be a success.
func shell(_ script: String) throws {
  let finished = try TestKit.ChildProcess(
    "/bin/sh", ["-c", script], environment: ["PATH": "/usr/bin:/bin"]
  ).wait()
  #expect(finished.status == 0, "\(script): \(finished.errors)")
}
