import Foundation
import Glibc
import JobCore
import JobWire
import LinuxSystem
import TestKit
import Testing

/// A disk that fails and is mounted again without the last writes, while the machine keeps running.
@Suite(.enabled(if: getuid() == 0, "an ext4 of its own needs root, for a loop device"))
struct LostWritesTests {
  private let workshop: Workshop
  private let disk: SmallDisk
  private var image: String { workshop.sandbox.path("image") }
  private var home: String { workshop.sandbox.home }

  init() throws {
    workshop = try Workshop()
    disk = try SmallDisk(
      workshop,
      mounting: """
        export PATH="$PATH:/usr/sbin:/sbin"
        truncate -s 64M "$2/image" && mkfs.ext4 -q -F "$2/image" && mount -o loop "$2/image" "$1"
        """)
    try workshop.define(
      "counted", "echo x >> \"$READY.count\"; echo x > \"$READY.1\"; read line < \"$GATE\"")
  }

  private func pid(_ script: String) throws -> Int32 {
    let output = try disk.run(script).output
    return try #require(Int32(output.filter { !$0.isWhitespace }), "\(script): \(output)")
  }

  private func end(_ pid: Int32) throws {
    kill(pid, SIGKILL)
    try WaitFor.end(ofProcess: pid)
  }

  /// Shuts the file system down as an error in its journal does: all writes fail (EXT4_IOC_SHUTDOWN, without
  /// flushing the log).
  private func loseWrites() throws {
    let program = "open(D, q(<), shift); my $f = pack(q(L), 2); exit(!ioctl(D, 0x8004587d, $f))"
    let shut = try disk.run("perl -e '\(program)' '\(home)'")
    try #require(shut.status == 0, "\(shut)")
  }

  @Test(arguments: [true, false])
  func `a job that ran is not begun again, though its record is lost`(isPageInMemory: Bool) throws {
    if isPageInMemory {
      let mounted = try disk.run(
        "mkdir -m 700 '\(home)/run' && mount -t tmpfs -o mode=700 none '\(home)/run'")
      try #require(mounted.status == 0, "\(mounted)")
    }
    #expect(try disk.run("jobrun list; sync -f '\(home)'").status == 0)
    #expect(try disk.run("jobrun submit counted --detach").status == 0)
    try workshop.awaitReady(1)
    let runner = try pid("tail -1 '\(home)/state/runner.lock'")
    let worker = try pid("cut -d ' ' -f 2 '\(home)/state/runs/1.1'")
    let supervisor = try pid("cut -d ' ' -f 4 '\(home)/state/runs/1.1'")
    // The supervisor, and the process that it is a copy of.
    let shims = Workshop.children(of: runner, named: "jobrun-shim")
    try end(runner)
    try loseWrites()
    try end(supervisor)
    // They end by themselves, and a disk is not unmounted while one has a file of it open.
    for process in shims + [worker] { try WaitFor.end(ofProcess: process) }
    let mounted = try disk.run(
      """
      \(isPageInMemory ? "mount --move '\(home)/run' /mnt &&" : "")
      umount '\(home)' && mount -o loop '\(image)' '\(home)' \
      \(isPageInMemory ? "&& mount --move /mnt '\(home)/run'" : "")
      """)
    try #require(mounted.status == 0, "\(mounted)")
    // The launch is durable, but the supervisor's record is not.
    #expect(try disk.run("cat '\(home)/state/runs/1.1'").output == "")
    #expect(try disk.run("jobrun wait 1").status == 76)
    let job = try Workshop.object(try disk.run("jobrun show 1 --json").output)
    #expect(job.attempt == 1 && job.stopReason?.code == .supervisorLost, "\(job)")
    #expect(try File.readAll(workshop.sandbox.path("ready.count")) == Array("x\n".utf8))
  }
}
