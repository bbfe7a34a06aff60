import Foundation
import Glibc
import TestKit
import Testing

/// A separate disk for a workshop: a small tmpfs over the home, or a real ext4, in a mount namespace of all its
/// processes.
///
/// Needs root, or user namespaces; without either, its tests fail with a message.
final class SmallDisk {
  struct Impossible: Error, CustomStringConvertible {
    let description =
      "a small disk needs a mount namespace: run the tests as root, or allow user namespaces"
  }

  /// How `unshare` gets a mount namespace here; nil when it gets none.
  private static let unsharing: [String]? = [["-m"], ["-rm"]].first { flags in
    let tried = try? ChildProcess(
      "/usr/bin/unshare", flags + ["sh", "-c", "mount -t tmpfs none /mnt"], environment: [:])
    return (try? tried?.wait())?.status == 0
  }

  let workshop: Workshop
  private let holder: ChildProcess

  /// A disk of `size` as mount(8) writes it, over the workshop's home.
  convenience init(_ workshop: Workshop, size: String) throws {
    try self.init(workshop, mounting: "mount -t tmpfs -o size=\(size),mode=700 none \"$1\"")
  }

  /// A file system over the home; `mounting` is the shell's, which finds the home as its first argument and
  /// the working folder as its second.
  init(_ workshop: Workshop, mounting: String) throws {
    guard let unsharing = Self.unsharing else { throw Impossible() }
    self.workshop = workshop
    let home = workshop.sandbox.home
    let script = """
      cp "$1/config.json" "$2/config.json" && \(mounting) && chmod 700 "$1" &&
      cp "$2/config.json" "$1" && echo mounted && exec cat
      """
    // It lives as long as its input has a writer.
    let input = workshop.sandbox.path("hold")
    guard unsafe mkfifo(input, 0o600) == 0 else { throw SystemCallFailure("mkfifo \(input)") }
    holder = try workshop.sandbox.start(
      "/usr/bin/unshare",
      unsharing + [
        "sh", "-c", "\(script) 0<> \"$3\"", "sh", home, workshop.sandbox.work, input,
      ])
    try holder.wait(for: "mounted")
  }

  /// The home as this process reaches it.
  var home: String { "/proc/\(holder.pid)/root\(workshop.sandbox.home)" }

  /// Starts a shell script where the disk is.
  func start(_ script: String) throws -> ChildProcess {
    let flags = Self.unsharing == ["-m"] ? ["-m"] : ["-U", "-m", "--preserve-credentials"]
    return try workshop.sandbox.start(
      "/usr/bin/nsenter", ["-t", "\(holder.pid)"] + flags + ["sh", "-c", script],
      environment: workshop.environment)
  }

  /// Runs a shell script where the disk is, to its end.
  @discardableResult
  func run(_ script: String) throws -> ChildProcess.Finished {
    try start("cd \(workshop.sandbox.work); \(script)").wait()
  }

  /// Fills the disk to the last block.
  func fill() throws {
    let filled = try run("cat /dev/zero > \"$JOBRUN_HOME/ballast\"")
    #expect(filled.errors.contains("No space left"))
  }

  func empty() throws {
    #expect(try run("rm \"$JOBRUN_HOME/ballast\"").status == 0)
  }
}
