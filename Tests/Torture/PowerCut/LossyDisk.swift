import LinuxSystem
import TestKit

/// A separate ext4 on a disk that loses unflushed writes at a power cut (`Tests/Fixtures/LossyDisk`), over the
/// home of a sandbox.
///
/// Needs root, for loop devices, and a private mount namespace.
final class LossyDisk {
  private let sandbox: Sandbox
  private let program: String
  private let image: String
  private let folder: String
  /// The pipe that the disk obeys.
  private let orders: String
  private var server: Command?
  /// The memory that contains the runtime folder.
  private let memory: String
  /// Whether that outlives a cut.
  private let keepsMemory: Bool

  private static let size = "192M"

  /// The effect of a cut on the sectors that were written and not flushed.
  struct Cut {
    var kept: Int
    var lost: Int
  }

  init(_ sandbox: Sandbox, keepsMemory: Bool) throws {
    self.sandbox = sandbox
    self.keepsMemory = keepsMemory
    memory = sandbox.root + "/memory"
    try File.makeDirectory(memory)
    program = sandbox.root + "/lossy-disk"
    image = sandbox.root + "/image"
    folder = sandbox.root + "/disk"
    orders = sandbox.root + "/orders"
    try File.makeDirectory(folder)
    try StubLibrary.buildProgram("LossyDisk/lossy_disk.c", at: program, libraries: [])
    try shell("truncate -s \(Self.size) \(image) && mkfs.ext4 -q -F \(image)")
  }

  /// Turns the disk on: mounts the image over the home, with a runtime folder in memory.
  func mount() throws {
    try shell("rm -f \(orders); mkfifo \(orders)")
    // Outside the sandbox's environment, so that ending its processes leaves the disk alone.
    let server = try Command(
      "/bin/sh",
      ["-c", "exec \"$1\" \"$2\" \"$3\" 0<> \"$4\"", "sh", program, folder, image, orders],
      environment: Self.path)
    try server.wait(for: "ready")
    self.server = server
    // A loop device that is set up so goes with its mount, however this program ends.
    try shell(
      """
      mount -o loop \(folder)/disk \(sandbox.home) && mkdir -p \(sandbox.home)/run &&
      { mountpoint -q \(memory) || mount -t tmpfs -o mode=700 none \(memory); } &&
      mount --bind \(memory) \(sandbox.home)/run
      """)
  }

  /// Cuts the power: from here on all writes are lost, and processes that wait for the disk keep waiting.
  func cut(seed: UInt64) throws -> Cut {
    guard let server else { return Cut(kept: 0, lost: 0) }
    try order("cut \(seed)")
    // In one write: "cut KEPT LOST".
    let words = try server.wait(for: "cut ").split(whereSeparator: \.isWhitespace)
    let counts = words.suffix(2).compactMap { Int($0) }
    return Cut(kept: counts.first ?? 0, lost: counts.last ?? 0)
  }

  /// Releases processes that wait for the disk and should die.
  func release() throws { try order("release") }

  private func order(_ line: String) throws {
    try File.open(orders, .write).writeAll(Array((line + "\n").utf8))
  }

  /// Removes the rest of the machine, once no process runs on it.
  func unmount() throws {
    // A killed process gives its files back a moment after it is seen no more.
    let deadline = AwakeClock.now() + 10 * Torture.second
    while true {
      do {
        let places = ["\(sandbox.home)/run", sandbox.home, folder]
        for place in places + (keepsMemory ? [] : [memory]) {
          try shell("! mountpoint -q \(place) || umount \(place)")
        }
        break
      } catch  where AwakeClock.now() < deadline {
        _ = try Poll.wait([], until: AwakeClock.now() + 20 * Torture.millisecond)
      }
    }
    _ = try server?.wait()
    server = nil
  }

  private func shell(_ script: String) throws {
    let end = try sandbox.run("/bin/sh", ["-c", script], environment: Self.path)
    guard end.status == 0 else { throw Failure(description: "\(script)\n\(end.errors)") }
  }

  private static let path = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }
}
