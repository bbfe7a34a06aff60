import Foundation
import JobCore
import JobWire
import TestKit
import Testing

/// Notices on a real session bus, with a notification service that prints its calls.
@Suite struct NoticeTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop()
    try settings(#"{"slots": 2, "notify": {"after": "0s"}}"#)
    try workshop.define("fine", "while ! test -e \"$GO\"; do sleep 0.05; done")
    try workshop.define("stalling", StallTests.stalling)
    try workshop.defineGated("gated")
  }

  private func settings(_ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: workshop.sandbox.home + "/config.json"))
  }

  /// The runner starts with the first command and keeps that command's environment.
  private func startRunner(_ desktop: Desktop) throws {
    let finished = try workshop.jobrun(
      "runner", "restart", environment: ["DBUS_SESSION_BUS_ADDRESS": desktop.address])
    #expect(finished.status == 0, "\(finished.errors)")
  }

  private func run(_ title: String, _ script: String) throws {
    let finished = try workshop.jobrun(
      "run", "--detach", "--title", title, "--", "sh", "-c", script)
    #expect(finished.status == 0, "\(finished.errors)")
  }

  @Test func `the end of a job that nobody watched is told with where to look`() throws {
    let desktop = try Desktop(workshop.sandbox)
    try startRunner(desktop)
    try run("Trip <b>2026</b> & more", "exit 3")
    let told = try desktop.told("jobrun log 1\n")
    let notice = try #require(told.last).split(separator: "\t").map(String.init)
    #expect(
      notice.prefix(7) == [
        "Notify", "1", "0", "2", "jobrun", "dialog-error", "Trip <b>2026</b> & more failed",
      ])
    #expect(notice[7].hasPrefix("Job 1 ended after "))
    #expect(notice[7].hasSuffix(", with exit code 3.|jobrun log 1"))
  }

  @Test func `a success is told, too, and is less urgent`() throws {
    let desktop = try Desktop(workshop.sandbox)
    try startRunner(desktop)
    try run("Good", "exit 0")
    let notice = try #require(try desktop.told("Good succeeded").last)
    #expect(notice.contains("\t1\tjobrun\tdialog-information\tGood succeeded\tJob 1 ended after "))
  }

  @Test func `a question comes with the command that answers it, and goes with the answer`() throws
  {
    let desktop = try Desktop(workshop.sandbox)
    try startRunner(desktop)
    let environment = ["GO": workshop.sandbox.path("go")]
    _ = try workshop.submit(
      "stalling", "--title", "Stalls & waits", "--stall-after", "300ms", environment: environment)
    let told = try desktop.told("jobrun continue 1 --no\n")
    #expect(
      try #require(told.last).hasSuffix(
        "\t2\tjobrun\tdialog-question\tStalls & waits: continue?"
          + "\tJob 1 reports but does not advance. Answer with|jobrun continue 1"
          + "|jobrun continue 1 --no"))
    #expect(try workshop.jobrun("continue", "1").status == 0)
    try desktop.told("Close\t1\n")
  }

  @Test func `markup is escaped only for a service that reads it`() throws {
    for (mode, body) in [("", "it said &lt;b&gt; &amp; more"), ("plain", "it said <b> & more")] {
      let workshop = try Workshop()
      let desktop = try Desktop(workshop.sandbox, service: mode)
      var order = NoticeOrder(.show)
      order.summary = "a <b>"
      order.body = "it said <b> & more"
      let helper = try workshop.sandbox.run(
        "sh",
        [
          "-c", "exec \"$0\" notify < \"$1\"", try BuiltProducts.path("jobrun-helper"),
          try workshop.sandbox.write(String(decoding: order.line, as: UTF8.self), to: "order"),
        ], environment: ["DBUS_SESSION_BUS_ADDRESS": desktop.address])
      #expect(NoticeAnswer(output: Array(helper.output.utf8))?.number == 1)
      #expect(try #require(try desktop.told("more\n").last).hasSuffix("\ta <b>\t\(body)"))
    }
  }

  @Test func `what is watched, cancelled or short is not told`() throws {
    let desktop = try Desktop(workshop.sandbox)
    try settings(#"{"slots": 2, "notify": {"after": "1h"}}"#)
    try startRunner(desktop)
    try run("Short", "exit 1")
    try workshop.jobrun("wait", "1")
    try settings(#"{"slots": 2, "notify": {"after": "0s"}}"#)
    try startRunner(desktop)
    let go = workshop.sandbox.path("go")
    let watching = try workshop.start("submit", "fine", environment: ["GO": go])
    try watching.wait(for: "2 org.example.workshop.fine.")
    // The end of a job to which the command is not attached yet would be told.
    try WaitFor.answer("a command that watches job 2") { try workshop.show(2).attached == 1 }
    try workshop.sandbox.write("", to: "go")
    #expect(try watching.wait().status == 0)
    _ = try workshop.submit("gated")
    try workshop.awaitReady(3)
    try workshop.jobrun("cancel", "3")
    try workshop.jobrun("wait", "3")
    try run("Last", "exit 1")
    let told = try desktop.told("Last failed")
    #expect(told.filter { $0.hasPrefix("Notify") }.count == 1, "\(told)")
  }

  @Test func `the bus of the submitter's session will do for a runner without one`() throws {
    let desktop = try Desktop(workshop.sandbox)
    #expect(try workshop.jobrun("list").status == 0)
    let off = try workshop.jobrun("runner", "status").output
    #expect(off.contains("off: no session bus: DBUS_SESSION_BUS_ADDRESS is not set"))
    let submitted = try workshop.jobrun(
      "run", "--detach", "--title", "Mine", "--", "false",
      environment: ["XDG_RUNTIME_DIR": desktop.runtime])
    #expect(submitted.status == 0)
    try desktop.told("Mine failed")
    let status = try workshop.jobrun("runner", "status").output
    #expect(status.contains("notifications  on: "), "\(status)")
  }

  @Test func `a burst is a few notices and a number`() throws {
    let desktop = try Desktop(workshop.sandbox)
    try settings(#"{"slots": 64, "notify": {"after": "0s"}}"#)
    try startRunner(desktop)
    for _ in 0..<40 { try run("Many", "read line < \"$GATE\"") }
    try GroupedWorkshop.settle("40 jobs that run") { workshop.sandbox.supervisors.count == 40 }
    let supervisors = workshop.sandbox.supervisors
    // All have ended when the runner looks: the supervisors continue without it.
    let runner = try RestartTests.runner(workshop)
    kill(runner, SIGSTOP)
    let gate = try workshop.openGate()
    for supervisor in supervisors { try WaitFor.end(ofProcess: supervisor) }
    kill(runner, SIGCONT)
    let told = try desktop.told("more jobs have ended")
    gate.signal(9)
    #expect(told.filter { $0.contains("Many succeeded") }.count <= 40 - 2)
  }
}
