import LinuxSystem

/// A separate folder for one test, removed with its content when the value is destroyed.
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
