import Glibc
import LinuxSystem
import TestKit

/// A machine whose power can be cut: a disk that loses unflushed writes, a separate boot id, and processes that
/// all die at once.
final class Machine {
  private let sandbox: Sandbox
  private let disk: LossyDisk
  private let bootIdentifier: String

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// Whether a cut affects only the disk: the machine keeps running, with its boot id and its memory.
  private let keepsMemory: Bool

  init(_ sandbox: Sandbox, keepsMemory: Bool) throws {
    self.sandbox = sandbox
    self.keepsMemory = keepsMemory
    bootIdentifier = sandbox.root + "/boot-id"
    disk = try LossyDisk(sandbox, keepsMemory: keepsMemory)
    try powerOn(boot: 0)
    let kernels = "/proc/sys/kernel/random/boot_id"
    let bound = try sandbox.run("/bin/mount", ["--bind", bootIdentifier, kernels])
    guard bound.status == 0 else { throw Failure(description: bound.errors) }
  }

  func powerOn(boot: Int) throws {
    let digits = String(keepsMemory ? 0 : boot, radix: 16)
    let last = String(repeating: "0", count: 12 - digits.count) + digits
    // In place: the file is bound over the kernel's own.
    let file = try File.open(bootIdentifier, [.write, .create, .truncate])
    try file.writeAll(Array("10000000-0000-4000-8000-\(last)\n".utf8))
    try disk.mount()
  }

  /// The disk loses its writes first, and blocks all processes that wait for it: none continues without power.
  func cutPower(seed: UInt64) throws -> LossyDisk.Cut {
    let cut = try disk.cut(seed: seed)
    killAll()
    try disk.release()
    try shutDown()
    return cut
  }

  func shutDown() throws {
    for pid in killAll() { try WaitFor.end(ofProcess: pid) }
    try disk.unmount()
  }

  /// Kills all processes of this machine, without waiting; returns them.
  @discardableResult
  private func killAll() -> Set<Int32> {
    var killed: Set<Int32> = []
    while true {
      let others = processes().filter { !killed.contains($0) }
      guard !others.isEmpty else { return killed }
      for pid in others { kill(pid, Signal.kill) }
      killed.formUnion(others)
    }
  }

  /// Supervisors have an empty environment; they are known by the files that they hold.
  private func processes() -> [Int32] {
    let numbers = ((try? File.names(in: "/proc")) ?? []).compactMap { Int32($0) }
    return sandbox.processes + numbers.filter { holdsFile($0) }
  }

  private func holdsFile(_ pid: Int32) -> Bool {
    let folder = "/proc/\(pid)/fd"
    return ((try? File.names(in: folder)) ?? []).contains { descriptor in
      (try? File.linkTarget("\(folder)/\(descriptor)"))?.hasPrefix(sandbox.home + "/") == true
    }
  }

  /// Mounts made here must be private, and end with this program.
  static func requireNamespace() throws {
    guard CurrentProcess.userIdentifier == 0 else {
      throw Failure(description: "disks of its own need root")
    }
    let parent = ProcessStatus(pid: getpid())?.parent ?? 1
    let outside = try? File.linkTarget("/proc/\(parent)/ns/mnt")
    guard try outside != File.linkTarget("/proc/self/ns/mnt") else {
      throw Failure(description: "disks of its own need a mount namespace (unshare -m)")
    }
  }
}
