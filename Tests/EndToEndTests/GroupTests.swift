import Foundation
import JobCore
import JobWire
import TestKit
import Testing

/// Jobs that share slots of their own, and are one where a person wants to.
@Suite struct GroupTests {
  private let workshop: Workshop
  private var ledger: String { workshop.sandbox.path("ledger") }

  init() throws {
    workshop = try Workshop(slots: 2)
  }

  private func lines() -> [String] {
    let text = (try? String(contentsOfFile: ledger, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  @Test func `the jobs of a group with one slot never overlap, and others go on beside them`()
    throws
  {
    let script = "echo in >> \(ledger); echo out >> \(ledger)"
    let each = try workshop.jobrun(
      "each", "--group", "render", "--slots", "1", "--", "sh", "-c", script, ":::", "1", "2", "3",
      "4", "5", "6")
    #expect(each.status == 0, "\(each.errors)")
    #expect(lines() == (1...6).flatMap { _ in ["in", "out"] })
    #expect(
      try workshop.jobrun("group", "render").output == "render: 1 slot, 0 running, 0 waiting\n")
    #expect(try workshop.show(3).terms.group == "render")
  }

  @Test func `a full group keeps nobody else from starting, across a crash`() throws {
    try workshop.defineGated("gated")
    try workshop.define("quick", "echo ran")
    try workshop.jobrun("group", "render", "--slots", "1")
    _ = try workshop.submit("gated", "--group", "render")
    try workshop.awaitReady(1)
    let second = try workshop.submit("quick", "--group", "render")
    #expect(
      second.pendingReason?.message == "the only slot of group render is taken by job 1")
    #expect(try workshop.jobrun("run", "-q", "--", "true").status == 0)
    try workshop.killRunner()
    #expect(try workshop.show(2).pendingReason?.message == second.pendingReason?.message)
    #expect(
      try workshop.jobrun("list", "--group", "render", "--format", "number,group").output
        == "1\trender\n2\trender\n")
    #expect(
      try workshop.jobrun("list", "--group", "other").errors
        == "no jobs of group other are running\n"
    )
    let more = try workshop.jobrun("group", "render", "--slots", "2", "--json")
    #expect(more.output.hasPrefix("{\"group\":\"render\",\"slots\":2,"))
    #expect(try workshop.waitForEnd(2).outcome == .succeeded)
    let opened = try workshop.openGate()
    #expect(try workshop.jobrun("wait", "group:render").status == 0)
    withExtendedLifetime(opened) {}
  }

  @Test func `a group is waited for, and its failed jobs are redone, as one`() throws {
    let flag = workshop.sandbox.path("mended")
    let script = "test $0 != 3 || test -e \(flag) || exit 7"
    try workshop.jobrun(
      "each", "--detach", "--group", "sums", "--", "sh", "-c", script, ":::", "1", "2", "3", "4")
    let failed = try workshop.jobrun("wait", "group:sums")
    // Its exit code if its end was observed, otherwise the code of a failure; the time if any end was.
    #expect([1, 7].contains(failed.status))
    let conclusion = /✗ group sums: 1 failed \(first: job 3\), 3 succeeded(, in .*)?\n/
    #expect(failed.errors.contains(conclusion), "\(failed.errors)")
    #expect(try workshop.jobrun("redo", "group:sums", "--failed").status == 0)
    try workshop.jobrun("wait", "3")
    try Data().write(to: URL(fileURLWithPath: flag))
    #expect(try workshop.jobrun("redo", "group:sums", "--failed").status == 0)
    let mended = try workshop.jobrun("wait", "group:sums", "--json")
    #expect(mended.status == 0)
    // The ends before the redo may be observed.
    #expect(
      mended.output.hasSuffix("{\"succeeded\":4,\"failed\":0,\"cancelled\":0,\"unknown\":0}\n"))
    #expect(try workshop.jobrun("redo", "group:sums", "--failed").status == 66)
  }

  @Test func `a batch that was left is one line again, and Ctrl-C leaves nothing of it`() throws {
    try workshop.jobrun("run", "--detach", "--", "sleep", "1000")
    let script = "echo $0 >> \(ledger); exec sleep 1000"
    let numbers = (1...200).map { "\($0)" }
    let each = try workshop.sandbox.run(
      "jobrun",
      ["each", "--detach", "--group", "batch", "--slots", "1", "--", "sh", "-c", script, ":::"]
        + numbers, environment: workshop.environment)
    #expect(each.status == 0, "\(each.errors)")
    // Not just made: Ctrl-C could end the shell before it has written its line.
    try WaitFor.file(ledger, contains: "\n")
    let terminal = try Pseudoterminal()
    let attached = try workshop.start("attach", "group:batch", on: terminal)
    _ = try terminal.read(until: "0/200")
    try terminal.send("\u{3}")
    #expect(try attached.wait().status == 130)
    #expect(try workshop.jobrun("list", "--format", "number").output == "1\n")
    #expect(lines().count == 1)
    try workshop.jobrun("cancel", "1", "--now")
  }

  @Test func `a group is paused, resumed and cancelled as one`() throws {
    for group in ["left", "right"] {
      try workshop.jobrun("run", "--detach", "--group", group, "--", "sleep", "1000")
    }
    // The second may be the first to start, and one that is still starting is paused later.
    for number in [1, 2] as [UInt64] { try workshop.feed(until: "started", of: number) }
    #expect(try workshop.jobrun("pause", "group:left").errors.contains("paused job 1"))
    #expect(try workshop.show(1).state == .paused)
    #expect(try workshop.show(2).state == .running)
    #expect(try workshop.jobrun("resume", "group:left").errors == "resumed job 1\n")
    #expect(
      try workshop.jobrun("cancel", "group:left").errors == "1 job of group left is stopping\n")
    #expect(try workshop.waitForEnd(1).outcome == .cancelled)
    #expect(try workshop.show(2).state == .running)
    let again = try workshop.jobrun("cancel", "group:left")
    #expect(again.status == 66)
    #expect(
      again.errors
        == "jobrun: no job of group left is running or waiting; jobs from 1 to 2 are known\n")
    try workshop.jobrun("cancel", "group:right", "--now")
  }

  @Test func `what cannot be done is said with what would be right`() throws {
    let mistakes: [([String], Int32, String)] = [
      (["run", "--group", "a b", "--", "true"], 64, "the group \"a b\" is not a name"),
      (["group", "a/b"], 64, "is not a name"),
      (["group", "render", "--slots", "0"], 64, "--slots is 0"),
      (["attach", "group:nobody"], 66, "no job of group nobody is known"),
      (["wait", "group:nobody"], 66, "no job of group nobody is known"),
      (["wait", "group:a", "group:b"], 66, "no job of group a is known"),
      (["redo", "group:nobody"], 66, "no job of group nobody has ended without success"),
      (["attach", "group:"], 64, "is not a name"),
    ]
    for (words, code, sentence) in mistakes {
      let finished = try workshop.sandbox.run("jobrun", words, environment: workshop.environment)
      #expect(finished.status == code, "\(words): \(finished.errors)")
      #expect(finished.errors.contains(sentence), "\(words): \(finished.errors)")
      #expect(finished.errors.split(separator: "\n").count == 1, "\(finished.errors)")
    }
  }
}
