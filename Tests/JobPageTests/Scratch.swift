import JobPage
import LinuxSystem

/// A separate folder for one test, removed with its content when the value is destroyed.
struct Scratch: ~Copyable {
  let path: String

  init() throws {
    path = "/dev/shm/job-page-\(RandomBytes.hexadecimal(count: 8))"
    try File.makeDirectory(path)
  }

  deinit {
    try? File.removeTree(path)
  }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// A fresh page in this folder; its path.
  func page(number: UInt64 = 12, attempt: UInt64 = 1) throws -> String {
    try PageFile.create(file("page"), number: number, attempt: attempt)
    return file("page")
  }
}

/// Far enough away that only a defect reaches it.
func generousDeadline() -> UInt64 { AwakeClock.now() + 180_000_000_000 }
