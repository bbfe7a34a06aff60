import Glibc
import JobPage
import JobWire
import LinuxSystem
import TestKit
import Testing

/// Jobs that are paused by their control group.
@Suite(
  .enabled(if: GroupedWorkshop.obstacle == nil, Comment(rawValue: GroupedWorkshop.obstacle ?? "")))
struct GroupPauseTests {
  private let grouped: GroupedWorkshop
  private var workshop: Workshop { grouped.workshop }

  init() throws {
    grouped = try GroupedWorkshop()
  }

  private func await(frozen: Bool) throws {
    try GroupedWorkshop.settle("a group that is \(frozen ? "" : "not ")frozen") {
      grouped.group(of: 1).isFrozen == frozen
    }
  }

  @Test func `it stands still across a killed runner, and goes on`() throws {
    try workshop.define(
      "counting", "echo x >\"$READY.$JOBRUN_JOB\"\nread line < \"$GATE\"\nexit 7")
    _ = workshop.gate
    _ = try workshop.submit("counting")
    try workshop.awaitReady(1)
    #expect(try workshop.jobrun("pause", "1").status == 0)
    try self.await(frozen: true)
    // No signal was sent, which the program might have handled.
    #expect(
      grouped.group(of: 1).processes.allSatisfy {
        ProcessStatus(pid: $0)?.state != UInt8(ascii: "T")
      })
    let supervisor = try grouped.supervisor(of: 1)
    try workshop.killRunner()
    let opened = try workshop.openGate()
    #expect(try workshop.show(1).state == .paused)
    #expect(grouped.group(of: 1).isFrozen && ProcessStatus.exists(supervisor))
    #expect(try workshop.jobrun("resume", "1").status == 0)
    #expect(try workshop.jobrun("wait", "1").status == 7)
    withExtendedLifetime(opened) {}
  }

  @Test func `told to end it goes on, and ends itself in its grace`() throws {
    let script = "trap 'exit 3' TERM; echo x >\"$READY.1\"; while :; do sleep 0.02; done"
    try workshop.jobrun("run", "--detach", "--grace", "10m", "--", "sh", "-c", script)
    try workshop.awaitReady(1)
    #expect(try workshop.jobrun("pause", "1").status == 0)
    try self.await(frozen: true)
    #expect(try workshop.jobrun("cancel", "1").status == 0)
    _ = try workshop.jobrun("wait", "1")
    #expect(try workshop.show(1).exitCode == 3)
  }

  @Test func `killed while it stands still nothing of it is left`() throws {
    try grouped.defineEscape()
    let escaped = try grouped.escape(1)
    #expect(try workshop.jobrun("pause", "1").status == 0)
    try self.await(frozen: true)
    kill(try grouped.supervisor(of: 1), SIGKILL)
    #expect(try workshop.jobrun("wait", "1").status == 76)
    #expect(ProcessStatus(pid: escaped)?.isZombie ?? true)
  }
}
