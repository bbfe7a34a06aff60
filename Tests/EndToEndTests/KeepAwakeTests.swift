import Foundation
import JobWire
import TestKit
import Testing

/// The lock against sleep, with a stand-in for `systemd-inhibit` that always gives it.
@Suite struct KeepAwakeTests {
  private let workshop: Workshop
  private let environment: [String: String]

  init() throws {
    workshop = try Workshop()
    try workshop.sandbox.write(
      """
      #!/bin/sh
      echo "bash: warning: setlocale: cannot change locale" >&2
      while [ "${1#--}" != "$1" ]; do shift; done
      exec "$@"
      """, to: "bin/systemd-inhibit", executable: true)
    let usual = workshop.environment["PATH"] ?? "/usr/bin:/bin"
    environment = ["PATH": workshop.sandbox.path("bin") + ":" + usual]
  }

  private func awaitStatus(_ text: String) throws {
    try GroupedWorkshop.settle(text) {
      try workshop.jobrun("runner", "status").output.contains(text)
    }
  }

  @Test func `a shell that complains first does not hide that the lock is held`() throws {
    try workshop.jobrun("run", "--detach", "--", "sleep", "100000", environment: environment)
    try awaitStatus("on: logind holds sleep:idle (block-weak) for job 1")
    try workshop.jobrun("cancel", "1", "--now")
  }

  @Test func `a program at work that must not be cut off keeps it awake without any job`() throws {
    try workshop.jobrun("run", "--", "true", environment: environment)
    let program = try HostingProgram(in: workshop)
    try program.tell("hold")
    try program.says("held")
    try awaitStatus("for process \(program.process.pid)")
    try program.tell("letGo")
    try program.says("let go")
    try awaitStatus("off: nothing you started is running")
  }

  @Test func `the runner after one that was killed is asked for it again`() throws {
    try workshop.jobrun("run", "--", "true", environment: environment)
    let program = try HostingProgram(in: workshop)
    try program.tell("hold")
    try program.says("held")
    try awaitStatus("for process \(program.process.pid)")
    let runner = try RestartTests.runner(workshop)
    kill(runner, SIGKILL)
    try WaitFor.end(ofProcess: runner)
    try workshop.jobrun("run", "--", "true", environment: environment)
    try awaitStatus("for process \(program.process.pid)")
  }
}
