import Foundation
import Glibc
import JobCore
import JobPage
import JobWire
import LinuxSystem
import TestKit
import Testing

/// Jobs whose processes live in a control group, below a runner that has one to divide.
@Suite(
  .enabled(if: GroupedWorkshop.obstacle == nil, Comment(rawValue: GroupedWorkshop.obstacle ?? "")))
struct ControlGroupTests {
  private let grouped: GroupedWorkshop
  private var workshop: Workshop { grouped.workshop }

  init() throws {
    grouped = try GroupedWorkshop()
  }

  private func isGone(_ pid: Int32) -> Bool { ProcessStatus(pid: pid)?.isZombie ?? true }

  /// Outside of every job.
  private var runners: [Int32] {
    grouped.group.child("runner").processes.filter { ProcessStatus(pid: $0)?.name == "jobrund" }
  }

  @Test func `what forks twice with no environment is gone 100 times of 100`() throws {
    try grouped.defineEscape()
    for number in 1...UInt64(100) {
      let escaped = try grouped.escape(number)
      #expect(!isGone(escaped))
      // Without its supervisor nobody knows any more from whom it descends.
      kill(try grouped.supervisor(of: number), SIGKILL)
      #expect(try workshop.jobrun("wait", "\(number)").status == 76)
      #expect(isGone(escaped), "job \(number)")
    }
    try GroupedWorkshop.settle("no group") { grouped.jobs.children.isEmpty }
  }

  @Test func `what a worker leaves behind in its group is ended with it`() throws {
    try grouped.defineEscape()
    let escaped = try grouped.escape(1)
    #expect(Set(grouped.group(of: 1).processes).contains(escaped))
    #expect(try workshop.jobrun("cancel", "1", "--now").status == 0)
    try workshop.waitForEnd(1)
    #expect(isGone(escaped))
    try GroupedWorkshop.settle("no group") { grouped.jobs.children.isEmpty }
  }

  @Test func `the next runner ends what one that was killed with its supervisors has left`() throws
  {
    try grouped.defineEscape()
    let escaped = try grouped.escape(1)
    let supervisor = try grouped.supervisor(of: 1)
    try workshop.killRunner()
    kill(supervisor, SIGKILL)
    try WaitFor.end(ofProcess: supervisor)
    #expect(!isGone(escaped))
    try grouped.startRunner()
    #expect(try workshop.jobrun("wait", "1").status == 76)
    #expect(isGone(escaped))
    #expect(try workshop.jobrun("run", "--", "true").status == 0)
    try GroupedWorkshop.settle("no group") { grouped.jobs.children.isEmpty }
  }

  @Test func `a killed runner's jobs keep their groups, also below one that has none to divide`()
    throws
  {
    try grouped.defineEscape()
    let escaped = try grouped.escape(1)
    try workshop.killRunner()
    // Whoever types a command shares its group with others.
    #expect(try workshop.show(1).controlGroup == true)
    #expect(try workshop.jobrun("runner", "status").output.contains("cgroups        none: "))
    kill(try grouped.supervisor(of: 1), SIGKILL)
    #expect(try workshop.jobrun("wait", "1").status == 76)
    #expect(isGone(escaped))
    #expect(!grouped.group(of: 1).exists)
  }

  @Test func `show and runner status say how a tree is ended`() throws {
    try workshop.defineGated("gated")
    _ = try workshop.submit("gated")
    try workshop.awaitRunning(1)
    let shown = try workshop.jobrun("show", "1").output
    #expect(shown.contains(/control group +yes/), "\(shown)")
    let status = try workshop.jobrun("runner", "status").output
    #expect(status.contains("one for each job in \(grouped.jobs.path)"), "\(status)")
    let plain = try Workshop()
    try plain.defineGated("gated")
    _ = try plain.submit("gated")
    try plain.awaitRunning(1)
    #expect(try plain.jobrun("show", "1").output.contains(/control group +no/))
    #expect(try plain.jobrun("runner", "status").output.contains("is shared with other processes"))
    try plain.jobrun("cancel", "1", "--now")
  }

  @Test func `the time of children that nobody has waited for counts`() throws {
    // A parent that ignores SIGCHLD is told nothing of what its children have used.
    let script = """
      $SIG{CHLD} = "IGNORE"; if (!fork) { 1 while (times)[0] < 0.5; exit } wait
      """
    #expect(try workshop.jobrun("run", "--", "perl", "-e", script).status == 0)
    #expect(try workshop.show(1).use.cpuSeconds ?? 0 >= 0.5)
  }

  @Test func `what it sends to the network counts, and what stays on this machine does not`() throws
  {
    guard TrafficCounter.make() != nil else {
      try Test.cancel("this kernel lets nobody count what a group sends")
    }
    // To an address of RFC 5737, which nobody has.
    let script = """
      use Socket; socket(S, PF_INET, SOCK_DGRAM, 0);
      send(S, "x" x 5000, 0, sockaddr_in(9, inet_aton("127.0.0.1"))) or exit 1;
      send(S, "x" x 1000, 0, sockaddr_in(9, inet_aton("198.51.100.1"))) or exit 2
      """
    if try workshop.jobrun("run", "--", "perl", "-e", script).status == 2 {
      try Test.cancel("this machine has no network")
    }
    #expect(try workshop.show(1).use[.bytesSent] == 1_028)
    #expect(try workshop.jobrun("show", "1").output.contains(/sent to the network +1/))
    #expect(try workshop.jobrun("run", "--", "true").status == 0)
    #expect(try workshop.show(2).use[.bytesSent] == nil)
  }

  @Test func `a group that others share is left as it is`() throws {
    let plain = try Workshop()
    let shared = grouped.group.parent.child("\(grouped.group.name)-shared")
    try shared.make()
    defer { shared.kill() }
    let neighbour = try plain.sandbox.start(
      "sh", ["-c", "echo 0 >\"$0/cgroup.procs\"; exec sleep 100000", shared.path])
    try GroupedWorkshop.settle("the neighbour") { shared.processes == [neighbour.pid] }
    let runner = try plain.sandbox.start(
      "sh", ["-c", "echo 0 >\"$0/cgroup.procs\"; exec jobrund", shared.path])
    try WaitFor.file(plain.sandbox.home + "/state/runner.lock", contains: "\n\(runner.pid)")
    #expect(try plain.jobrun("list").status == 0)
    let status = try plain.jobrun("runner", "status")
    #expect(status.output.contains("\(shared.path) is shared with other processes"), "\(status)")
    #expect(shared.children.isEmpty)
    for process in [neighbour, runner] {
      process.signal(SIGKILL)
      _ = try process.wait()
    }
    try GroupedWorkshop.settle("an empty group") { shared.remove() }
  }

  @Test(arguments: [true, false])
  func `a runner that a job has started outlives the job`(isOfThisStore: Bool) throws {
    let other = isOfThisStore ? "" : "JOBRUN_HOME=$JOBRUN_HOME/other "
    try workshop.define(
      "outer",
      "\(other)jobrun runner restart\necho x >\"$READY.$JOBRUN_JOB\"\nexec sleep 100000")
    _ = try workshop.submit("outer")
    try workshop.awaitReady(1)
    let before = runners
    #expect(before.count == (isOfThisStore ? 1 : 2))
    #expect(try workshop.jobrun("cancel", "1", "--now").status == 0)
    try workshop.waitForEnd(1)
    #expect(before == runners)
    #expect(try workshop.jobrun("run", "--", "true").status == 0)
  }
}
