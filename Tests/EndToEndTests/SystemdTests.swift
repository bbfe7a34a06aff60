import JobCore
import JobWire
import TestKit
import Testing

/// The runner on a machine with a real systemd, and the events that it and its jobs survive.
@Suite(
  .serialized,
  .enabled(
    if: SystemdMachine.root != nil,
    "JOBRUN_SYSTEMD_ROOT names no machine; as root, .ci/systemd-machine FOLDER builds one"))
struct SystemdTests {
  /// The jobs as `NUMBER STATE PID`, a line each.
  private static let list = "jobrun list --format number,state,pid"

  private func started(_ machine: SystemdMachine, _ user: String, jobs: Int) throws -> String {
    let script = """
      jobrun slots \(jobs) >/dev/null
      for i in $(seq \(jobs)); do jobrun run --quiet --detach -- sleep 100000 >/dev/null; done
      jobrun feed | while read -r line; do
        [ $(jobrun list --format state | grep -c running) = \(jobs) ] && break
      done
      \(Self.list)
      """
    let listed = try machine.session(of: user, script).output
    #expect(listed.split(separator: "\n").count(where: { $0.contains("running") }) == jobs)
    return listed
  }

  @Test func `a log-out that ends the session's processes loses nothing`() throws {
    let machine = try SystemdMachine()
    try machine.killUserProcesses()
    try machine.addUser("anna", lingers: true)
    let before = try started(machine, "anna", jobs: 3)
    #expect(try machine.session(of: "anna", Self.list).output == before)
    let status = try machine.session(of: "anna", "jobrun runner status").output
    #expect(status.contains("keeps running when you log out"), "\(status)")
  }

  @Test func `a runner that is killed is back with no command typed`() throws {
    let machine = try SystemdMachine()
    try machine.addUser("anna", lingers: true)
    let before = try started(machine, "anna", jobs: 2)
    let pid = try machine.run("pgrep", "-o", "jobrund").output.split(separator: "\n").joined()
    try machine.run("kill", "-9", pid)
    let back = try machine.run(
      "sh", "-c", "timeout 20 sh -c 'until pgrep -o jobrund | grep -vx \(pid); do sleep 0.05; done'"
    )
    #expect(back.status == 0, "\(back)")
    #expect(try machine.session(of: "anna", Self.list).output == before)
  }

  @Test func `each job has a control group in the unit's, and keeps it when the runner is killed`()
    throws
  {
    let machine = try SystemdMachine()
    try machine.addUser("anna", lingers: true)
    let before = try started(machine, "anna", jobs: 3)
    let status = try machine.session(of: "anna", "jobrun runner status; jobrun show 1").output
    #expect(
      status.contains("one for each job in") && status.contains(/control group +yes/),
      "\(status)")
    let pids = before.split(separator: "\n").compactMap { line in
      line.split(whereSeparator: { $0.isWhitespace }).last
    }
    for (index, pid) in pids.enumerated() {
      let group = try machine.run("cat", "/proc/\(pid)/cgroup").output
      #expect(group.contains(".service/jobs/\(index + 1).1\n"), "\(group)")
    }
    let runner = try machine.run("pgrep", "-o", "jobrund").output.split(separator: "\n").joined()
    try machine.run("kill", "-9", runner)
    try machine.run(
      "timeout", "20", "sh", "-c", "until pgrep -o jobrund | grep -vx \(runner); do :; done")
    let script = """
      jobrun slots 4; jobrun run --quiet --detach -- sleep 100000 >/dev/null
      jobrun feed | while read -r line; do
        [ $(jobrun list --format state | grep -c running) = 4 ] && break
      done
      jobrun show 4; systemd-cgls --no-pager
      """
    let after = try machine.session(of: "anna", script)
    #expect(after.output.contains(/control group +yes/), "\(after)")
    // For maintainers.
    #expect(after.output.contains("─jobs"), "\(after)")
    let removal = """
      jobrun cancel --all --now; jobrun wait 1 2 3 4
      find /sys/fs/cgroup -path '*/jobs/*.1' -type d
      """
    let left = try machine.session(of: "anna", removal)
    #expect(!left.output.contains("jobs/"), "\(left)")
  }

  @Test func `enable takes over a runner with ten jobs and touches none`() throws {
    let machine = try SystemdMachine()
    try machine.addUser("anna", lingers: true)
    let before = try started(machine, "anna", jobs: 10)
    let enabled = try machine.session(of: "anna", "jobrun runner enable")
    #expect(enabled.status == 0 && enabled.errors.contains("handed over"), "\(enabled)")
    #expect(try machine.session(of: "anna", Self.list).output == before)
    let status = try machine.session(
      of: "anna", "systemctl --user is-active jobrun.service; jobrun runner status"
    ).output
    #expect(status.hasPrefix("active\n") && status.contains("jobrun.service of"), "\(status)")
  }

  @Test func `restarted again and again while jobs run it stays out of the session`() throws {
    let machine = try SystemdMachine()
    try machine.addUser("anna", lingers: true)
    let before = try started(machine, "anna", jobs: 2)
    for _ in 1...3 {
      let status = try machine.session(
        of: "anna", "jobrun runner restart; jobrun runner status"
      ).output
      #expect(status.contains("keeps running when you log out, and is restarted"), "\(status)")
    }
    #expect(try machine.session(of: "anna", Self.list).output == before)
  }

  @Test func `a restart moves the runner out of a session, and says which jobs stay in it`() throws
  {
    let machine = try SystemdMachine()
    try machine.addUser("berta", lingers: false)
    let before = try started(machine, "berta", jobs: 2)
    try machine.run("loginctl", "enable-linger", "berta")
    let answer = try machine.session(of: "berta", "jobrun runner restart; jobrun runner status")
    let sentence = "jobs 1 and 2 began in login session "
    #expect(answer.errors.contains("the runner was restarted; \(sentence)"), "\(answer)")
    #expect(answer.output.contains("keeps running when you log out"), "\(answer)")
    #expect(answer.output.contains(sentence), "\(answer)")
    #expect(try machine.session(of: "berta", Self.list).output == before)
  }

  @Test(arguments: [true, false])
  func `an enabled unit starts the runner again after it has left`(lingers: Bool) throws {
    let machine = try SystemdMachine()
    try machine.addUser("anna", lingers: lingers)
    let script = """
      jobrun runner enable; jobrun runner stop
      timeout 30 sh -c 'until systemctl --user is-active jobrun | grep -qx inactive; do :; done'
      systemctl --user is-active jobrun
      jobrun run --quiet -- true; jobrun runner status
      """
    let answer = try machine.session(of: "anna", script)
    #expect(answer.output.hasPrefix("inactive\n"), "\(answer)")
    #expect(answer.output.contains("jobrun.service of systemd"), "\(answer)")
  }

  @Test func `enable says where the runner lives when its unit cannot be started`() throws {
    let machine = try SystemdMachine()
    try machine.addUser("anna", lingers: true)
    let script = """
      jobrun run --quiet --detach -- sleep 100000 >/dev/null; mkdir bin
      printf '#!/bin/sh\ncase $* in *start*) exit 1; esac; exec /usr/bin/systemctl "$@"\n' >bin/systemctl
      chmod +x bin/systemctl; PATH=$PWD/bin:$PATH jobrun runner enable; echo "status $?"; jobrun list
      """
    let answer = try machine.session(of: "anna", script)
    #expect(answer.output.contains("status 73\n"), "\(answer)")
    #expect(answer.errors.contains("the runner runs in jobrun-"), "\(answer)")
    #expect(answer.output.contains("sleep 100000"), "\(answer)")
  }

  @Test func `enable takes no unit away from another store`() throws {
    let machine = try SystemdMachine()
    try machine.addUser("anna", lingers: true)
    let script = """
      jobrun runner enable; JOBRUN_HOME=$PWD/other jobrun runner enable; echo "status $?"
      jobrun runner status
      """
    let answer = try machine.session(of: "anna", script)
    #expect(answer.output.hasPrefix("status 73\n"), "\(answer)")
    #expect(answer.errors.contains("serves another store"), "\(answer)")
    #expect(answer.output.contains("jobrun.service of systemd"), "\(answer)")
  }

  @Test func `without lingering the runner stays in the session, and that is said`() throws {
    let machine = try SystemdMachine()
    try machine.addUser("berta", lingers: false)
    let status = try machine.session(
      of: "berta", "jobrun run --quiet -- true; jobrun runner status"
    ).output
    #expect(status.contains("login session") && status.contains("enable-linger"), "\(status)")
  }

  @Test func `the submitter's environment does not reach the runner, the job has it`() throws {
    let machine = try SystemdMachine()
    try machine.addUser("anna", lingers: true)
    let script = """
      export SECRET_OF_ONE=yes; jobrun run --quiet -- sh -c 'echo "job: $SECRET_OF_ONE"'; jobrun log 1
      tr '\\0' '\\n' </proc/$(pgrep -o jobrund)/environ | grep -c SECRET_OF_ONE
      """
    let answer = try machine.session(of: "anna", script)
    #expect(answer.output.hasSuffix("job: yes\n0\n"), "\(answer)")
  }

  @Test func `a manager that never answers is done without`() throws {
    let machine = try SystemdMachine()
    try machine.addUser("anna", lingers: true)
    let script = """
      mkdir bin; printf '#!/bin/sh\\nexec sleep 1000\\n' >bin/systemd-run; chmod +x bin/systemd-run
      PATH=$PWD/bin:$PATH jobrun run --quiet -- echo done; jobrun log 1; pgrep -c -f 'sleep 1000$'
      """
    let answer = try machine.session(of: "anna", script)
    #expect(answer.output.hasSuffix("done\n0\n"), "\(answer)")
  }

  @Test func `root with another user's environment starts a runner of its own`() throws {
    let machine = try SystemdMachine()
    try machine.addUser("anna", lingers: true)
    // Her manager is there once she has been.
    try machine.session(of: "anna", "true")
    let script = """
      export USER=anna XDG_RUNTIME_DIR=/run/user/$(id -u anna) HOME=/root PATH=\(BuiltProducts.folder):$PATH
      jobrun run --quiet -- id -un; jobrun log 1; ps -o user= -p $(pgrep -o jobrund)
      """
    let answer = try machine.run("sh", "-c", script)
    #expect(answer.output == "root\nroot\n", "\(answer)")
  }

  @Test func `a manager that refuses is done without`() throws {
    let machine = try SystemdMachine()
    try machine.addUser("anna", lingers: true)
    let name = "jobrun-37483c57"
    let script = """
      systemd-run --user --quiet --unit=\(name) sleep 100; jobrun run --quiet -- echo done; jobrun log 1
      """
    let answer = try machine.session(of: "anna", script)
    #expect(answer.output.contains("done\n") && answer.status == 0, "\(answer)")
  }

  private static let inhibitors = "systemd-inhibit --list --no-legend --no-pager | grep jobrun"

  @Test func `a machine with a running job does not go to sleep, and may again when it has ended`()
    throws
  {
    let machine = try SystemdMachine()
    let path = "export HOME=/root PATH=\(BuiltProducts.folder):$PATH"
    let held = try machine.run(
      "sh", "-c",
      """
      \(path); jobrun run --quiet --detach -- sleep 100000 >/dev/null
      timeout 60 sh -c 'until \(Self.inhibitors); do sleep 0.1; done'; jobrun runner status
      """)
    #expect(held.output.contains("sleep:idle"), "\(held)")
    #expect(held.output.contains("on: logind holds sleep:idle (block) for job 1"), "\(held)")
    let gone = try machine.run(
      "sh", "-c",
      """
      \(path); jobrun cancel 1 --now
      timeout 60 sh -c 'while \(Self.inhibitors); do sleep 0.1; done' >/dev/null && echo gone
      """)
    #expect(gone.output.contains("gone"), "\(gone)")
  }

  @Test func `a runner that is killed keeps no machine awake`() throws {
    let machine = try SystemdMachine()
    let killed = try machine.run(
      "sh", "-c",
      """
      export HOME=/root PATH=\(BuiltProducts.folder):$PATH
      jobrun run --quiet --detach -- sleep 100000 >/dev/null
      timeout 60 sh -c 'until \(Self.inhibitors); do sleep 0.1; done' >/dev/null && echo held
      kill -9 $(pgrep -o jobrund)
      timeout 60 sh -c 'while \(Self.inhibitors); do sleep 0.1; done' >/dev/null && echo gone
      """)
    #expect(killed.output.hasSuffix("held\ngone\n"), "\(killed)")
  }

  @Test func `who may not keep the machine awake is told so, and the job runs`() throws {
    let machine = try SystemdMachine()
    try machine.addUser("berta", lingers: false)
    let status = try machine.session(
      of: "berta",
      """
      jobrun run --quiet --detach -- sleep 100000 >/dev/null
      timeout 60 sh -c 'until jobrun runner status | grep "keep awake" | grep -v "seconds\\|asked"
      do sleep 0.1; done'
      jobrun list --format state; jobrun cancel 1 --now
      """)
    #expect(status.output.contains("running"), "\(status)")
  }
}
