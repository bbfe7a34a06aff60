import Foundation
import Glibc
import JobCore
import JobPage
import JobWire
import LinuxSystem
import TestKit
import Testing

/// Jobs that stop their own supervisor.
@Suite struct StoppedSupervisorTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop()
  }

  @Test func `a job that has stopped its supervisor is killed all the same`() throws {
    try workshop.define("sly", "kill -STOP $PPID\necho x > \"$READY.1\"\nexec sleep 1000")
    _ = try workshop.submit("sly")
    try workshop.awaitReady(1)
    #expect(try workshop.jobrun("cancel", "1", "--now").status == 0)
    #expect(try workshop.jobrun("wait", "1").status == 130)
    #expect(workshop.strays() == [])
  }

  @Test func `a job that has stopped its supervisor and ends gets its true end`() throws {
    try workshop.define("sly", "kill -STOP $PPID\nexit 7")
    #expect(try workshop.jobrun("submit", "sly").status == 7)
    #expect(workshop.strays() == [])
  }

  @Test func `a plain command is told to stop, and its own answer is recorded`() throws {
    let ready = workshop.sandbox.path("ready")
    let script = """
      trap 'echo heard; exit 3' TERM; kill -STOP $PPID; : > "\(ready)"; while :; do sleep 0.05; done
      """
    _ = try workshop.jobrun("run", "--detach", "--", "sh", "-c", script)
    try WaitFor.file(ready)
    #expect(try workshop.jobrun("cancel", "1").status == 0)
    #expect(try workshop.jobrun("wait", "1").status == 130)
    #expect(try workshop.jobrun("log", "1").output.contains("heard\n"))
    #expect(try workshop.show(1).exitCode == 3)
  }

  /// The runner ends the tree by itself when it is asked a second time, 5 s later.
  @Test func `one that stops it again and again is killed, too`() throws {
    try workshop.define(
      "stubborn",
      """
      setsid perl -e 'kill "STOP", $ARGV[0] while 1' $PPID &
      perl -e 'kill "STOP", $ARGV[0] while 1' $PPID &
      echo x > "$READY.1"
      wait
      """)
    _ = try workshop.submit("stubborn")
    try workshop.awaitReady(1)
    #expect(try workshop.jobrun("cancel", "1", "--now").status == 0)
    #expect(try workshop.jobrun("wait", "1").status == 130)
    #expect(workshop.strays() == [])
  }

  @Test func `the limit of a job counts although its supervisor is stopped`() throws {
    try workshop.define(
      "sly", "kill -STOP $PPID\nexec sleep 1000", #","limit":"300ms","grace":"100ms""#)
    #expect(try workshop.jobrun("submit", "sly").status == 124)
    #expect(workshop.strays() == [])
  }

  /// Only its children identify it to the next runner; there may be only one left.
  @Test(arguments: [false, true])
  func `one whose record is gone is let go on, and leaves`(isWorkerDead: Bool) throws {
    try workshop.define("sly", "kill -STOP $PPID\necho x > \"$READY.1\"\nexec sleep 1000")
    _ = try workshop.submit("sly")
    try workshop.awaitReady(1)
    let record = workshop.sandbox.home + "/state/runs/1.1"
    let started = try #require(RunRecord(parsing: try File.readAll(record)).started)
    #expect(try workshop.show(1).pid == started.worker.pid)
    try workshop.killRunner()
    try File.remove(record)
    if isWorkerDead {
      kill(started.worker.pid, SIGKILL)
      try WaitFor.end(ofProcess: started.worker.pid)
    }
    #expect(try workshop.jobrun("wait", "1").status == 76)
    try WaitFor.end(ofProcess: started.shim.pid)
    #expect(workshop.strays() == [])
  }

  @Test func `a command after an end that stops its supervisor is ended after its limit`() throws {
    try workshop.define("quick", "exit 0")
    let configuration = #"{"slots": 2, "onEnd": {"limit": "500ms"}}"#
    try Data(configuration.utf8)
      .write(to: URL(fileURLWithPath: workshop.sandbox.home + "/config.json"))
    let ready = workshop.sandbox.path("ready")
    var hasStopped = false
    // On a busy machine the limit may come before the command has stopped its supervisor.
    for number in 1...20 where !hasStopped {
      _ = try workshop.submit(
        "quick", "--on-end", "kill -STOP $PPID; echo x > \(ready); exec sleep 1000")
      try WaitFor.file(
        workshop.sandbox.home + "/state/runner.log",
        contains: "job \(number): its on-end command was ended by SIGKILL")
      #expect(workshop.strays() == [])
      hasStopped = FileManager.default.fileExists(atPath: ready)
    }
    #expect(hasStopped)
  }
}
