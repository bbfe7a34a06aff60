import JobWire
import TestKit
import Testing

/// The lock against sleep, with a stand-in for `systemd-inhibit` that always gives it.
@Suite struct KeepAwakeTests {
  @Test func `a shell that complains first does not hide that the lock is held`() throws {
    let workshop = try Workshop()
    try workshop.sandbox.write(
      """
      #!/bin/sh
      echo "bash: warning: setlocale: cannot change locale" >&2
      while [ "${1#--}" != "$1" ]; do shift; done
      exec "$@"
      """, to: "bin/systemd-inhibit", executable: true)
    let path =
      workshop.sandbox.path("bin") + ":" + (workshop.environment["PATH"] ?? "/usr/bin:/bin")
    try workshop.jobrun("run", "--detach", "--", "sleep", "100000", environment: ["PATH": path])
    try GroupedWorkshop.settle("a lock that is held") {
      try workshop.jobrun("runner", "status").output
        .contains("on: logind holds sleep:idle (block-weak) for job 1")
    }
    try workshop.jobrun("cancel", "1", "--now")
  }
}
