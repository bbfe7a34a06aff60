import LinuxSystem

/// A folder of its own for one test, removed with everything in it when the value goes away.
struct Scratch: ~Copyable {
  let path: String

  init() throws {
    path = "/dev/shm/job-supervision-\(RandomBytes.hexadecimal(count: 8))"
    try File.makeDirectory(path)
  }

  deinit {
    try? File.removeTree(path)
  }

  func file(_ name: String) -> String { "\(path)/\(name)" }
}

/// Far enough away that only a defect reaches it.
func generousDeadline() -> UInt64 { AwakeClock.now() + 180_000_000_000 }
