import JobRunner
import JobWire
import LinuxSystem
import TestKit
import Testing

/// The choice of the control group that a runner divides, with fake ones: folders with the kernel's files.
@Suite struct GroupDelegationTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
  }

  /// This process in a group of that name, alone but for `others`.
  private func enter(_ name: String, with others: String = "") throws -> ControlGroup {
    let group = ControlGroup(path: sandbox.path("fake-groups/\(name)"))
    for part in [group, group.child("runner"), group.child("jobs")] {
      try File.makeDirectories(part.path)
      for file in ["cgroup.procs", "cgroup.subtree_control"] {
        try File.writeAtomically([], to: "\(part.path)/\(file)")
      }
    }
    let own = "\(CurrentProcess.identifier)\n"
    try File.writeAtomically(Array((own + others).utf8), to: "\(group.path)/cgroup.procs")
    try sandbox.write("0::/\(name)\n", to: "proc/self/cgroup")
    try sandbox.write(
      "1 0 0:1 / \(sandbox.path("fake-groups")) rw - cgroup2 cgroup2 rw\n",
      to: "proc/self/mountinfo")
    return group
  }

  private func claim() -> GroupDelegation { .claim(for: "abc", root: sandbox.path("")) }

  private func text(_ group: ControlGroup, _ file: String) throws -> String {
    String(decoding: try File.readAll("\(group.path)/\(file)"), as: UTF8.self)
  }

  @Test(arguments: ["box", "app.slice/jobrun-abc.service", "app.slice/jobrun.service"])
  func `one that is its own it divides`(name: String) throws {
    let group = try enter(name)
    let claimed = claim()
    guard case .granted(let jobs, let controllers) = claimed else {
      Issue.record("\(claimed)")
      return
    }
    #expect(jobs == group.child("jobs"))
    #expect(controllers == ["cpu", "memory", "io", "pids"])
    #expect(try text(group.child("runner"), "cgroup.procs") == "0\n")
    #expect(try text(jobs, "cgroup.subtree_control").hasPrefix("+pids\n"))
    #expect(claimed.report.why == "one for each job in \(jobs.path) with cpu, memory, io, pids")
  }

  @Test func `a controller that is not offered is done without`() throws {
    let group = try enter("box")
    try File.remove("\(group.child("jobs").path)/cgroup.subtree_control")
    let claimed = claim()
    #expect(claimed.report.isOn && !claimed.report.why.contains("with"), "\(claimed)")
  }

  @Test(arguments: [
    ("session-3.scope", "", "systemd has not handed over"),
    ("app.slice/jobrun-def.service", "", "systemd has not handed over"),
    ("session-3.scope", "1\n", "is shared with other processes"),
    ("box", "1\n", "is shared with other processes"),
  ])
  func `one that is another's it leaves as it is`(
    name: String, others: String, reason: String
  ) throws {
    let group = try enter(name, with: others)
    let report = claim().report
    #expect(!report.isOn && report.why.contains(reason), "\(report)")
    #expect(try text(group, "cgroup.subtree_control").isEmpty)
    #expect(try text(group.child("runner"), "cgroup.procs").isEmpty)
  }

  @Test func `a group of somebody else's in it makes it shared`() throws {
    let group = try enter("box")
    try group.child("theirs").make()
    #expect(claim().report.why.contains("is shared with other processes"))
  }

  @Test func `one in which jobs of another store still live is left to them`() throws {
    let group = try enter("jobrun.service")
    try #require(group.setAttribute("user.jobrun.store", to: "def"))
    #expect(claim().report.isOn, "they have ended")
    try #require(group.setAttribute("user.jobrun.store", to: "def"))
    try sandbox.write("populated 1\n", to: "fake-groups/jobrun.service/jobs/cgroup.events")
    let report = claim().report
    #expect(!report.isOn && report.why.contains("jobs of the runner of another store"), "\(report)")
    try #require(group.setAttribute("user.jobrun.store", to: "abc"))
    #expect(claim().report.isOn, "they are its own")
  }

  @Test func `without any there is a reason`() throws {
    try sandbox.write("1:name=systemd:/\n", to: "proc/self/cgroup")
    #expect(
      claim().report.why
        == "cgroup2 is not mounted here; a search finds the processes that are ended or paused"
    )
  }

  @Test func `what it has given to its groups it takes back for the next start`() throws {
    let group = try enter("jobrun.service/.control")
    let base = group.parent
    // A job may have divided its own.
    let parts = [base, base.child("jobs"), base.child("jobs").child("3.1")]
    for part in parts {
      try File.makeDirectories(part.path)
      for file in ["cgroup.procs", "cgroup.subtree_control"] {
        try File.writeAtomically(Array("memory".utf8), to: "\(part.path)/\(file)")
      }
    }
    GroupDelegation.release(root: sandbox.path(""))
    for part in parts {
      #expect(try text(part, "cgroup.subtree_control") == "-memory\n")
    }
  }
}
