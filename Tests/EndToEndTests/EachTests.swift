import Foundation
import JobCore
import JobWire
import TestKit
import Testing

/// One command for many inputs, as a person types it.
@Suite struct EachTests {
  private let workshop: Workshop
  private var ledger: String { workshop.sandbox.path("ledger") }

  init() throws {
    workshop = try Workshop()
  }

  private func lines() -> [String] {
    let text = (try? String(contentsOfFile: ledger, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init).sorted()
  }

  @Test func `each input is a job, and all of them end with 0`() throws {
    let finished = try workshop.jobrun(
      "each", "--", "sh", "-c", "echo \"$0 $1\" >> \(ledger)", "{1}", "<{2}>", ":::", "a", "b c",
      ":::", "1", "2")
    #expect(finished.status == 0, "\(finished.errors)")
    #expect(finished.output == "jobs 1–4\n")
    #expect(finished.errors.contains("4 succeeded"))
    #expect(lines() == ["a <1>", "a <2>", "b c <1>", "b c <2>"])
    #expect(try workshop.jobrun("show", "4").output.contains("b c"))
  }

  @Test func `the exit code is that of the first that fails, and the others go on`() throws {
    let finished = try workshop.jobrun(
      "each", "--title", "Sums", "--", "sh", "-c", "echo $0 >> \(ledger); exit $0", ":::", "0",
      "3", "0", "5")
    #expect(finished.status == 3)
    #expect(finished.errors.contains("✗ Sums: 2 failed (first: job 2), 2 succeeded, in"))
    #expect(lines() == ["0", "0", "3", "5"])
    #expect(try workshop.show(2).title == "Sums 3")
    try workshop.jobrun("each", "--quiet", "--title", "Frame {#}", "--", "true", ":::", "a", "b")
    let last = try workshop.jobrun("list", "--all", "--format", "title").output
    #expect(last.hasSuffix("Frame 1\nFrame 2\n"), "\(last)")
  }

  @Test func `until a success, the exit code is 0, of each and of a wait`() throws {
    try workshop.jobrun("slots", "1")
    let finished = try workshop.jobrun(
      "each", "--title", "Try", "--until-success", "--", "sh", "-c", "exit {}", ":::", "3", "0", "5"
    )
    #expect(finished.status == 0)
    #expect(finished.errors.contains("✓ Try: 1 failed (first: job 1), 1 succeeded, 1 cancelled"))
    try workshop.jobrun(
      "each", "--detach", "--group", "us", "--until-success", "--", "sh", "-c", "exit {}", ":::",
      "0",
      "1")
    let waited = try workshop.jobrun("wait", "group:us")
    #expect(waited.status == 0, "\(waited.errors)")
    #expect(waited.errors.contains("✓ group us: 1 succeeded, 1 cancelled"))
    // Another failure of the group is one.
    try workshop.jobrun("run", "--group", "us", "--", "sh", "-c", "exit 9")
    #expect(try workshop.jobrun("wait", "group:us").status == 9)
  }

  @Test func `a dry run of the rest prints what would be submitted`() throws {
    try workshop.jobrun("each", "--", "sh", "-c", "test {} != b", ":::", "a", "b", "c")
    let dry = try workshop.jobrun(
      "each", "--dry-run", "--resume", "--", "sh", "-c", "test {} != b", ":::", "a", "b", "c", "d")
    #expect(dry.status == 0)
    #expect(dry.output == "sh -c 'test b != b'\nsh -c 'test d != b'\n")
  }

  @Test func `the options in a script count for each and schedule`() throws {
    try workshop.sandbox.write("#!/bin/sh\n#JOBRUN --limit 2h\n", to: "job.sh")
    let script = workshop.sandbox.path("job.sh")
    _ = try workshop.sandbox.run("chmod", ["+x", script])
    #expect(try workshop.jobrun("each", "--", script, ":::", "a").status == 0)
    #expect(try workshop.show(1).terms.options?.limit == .seconds(7200))
    #expect(try workshop.jobrun("schedule", "--every", "1d", "--", script).status == 0)
    #expect(try workshop.show(2).terms.options?.limit == .seconds(7200))
    try workshop.sandbox.write("#!/bin/sh\n#JOBRUN --slots 2\n", to: "job.sh")
    let refused = try workshop.jobrun("each", "--", script, ":::", "a")
    #expect(refused.status == 64)
    #expect(refused.errors.contains("job.sh, line 2: --slots means something else with each"))
  }

  @Test func `with halt what runs and what waits is cancelled when one fails`() throws {
    try workshop.jobrun("slots", "1")
    let terminal = try Pseudoterminal()
    let script =
      "echo $0 >> \(ledger); test $0 != 0 || read line < \"$GATE\";"
      + " test $0 != 9 || exec sleep 1000; exit $0"
    let words = ["each", "--halt", "--title", "Sums", "--", "sh", "-c", script, ":::", "0", "3"]
    let each = try workshop.sandbox.start(
      "jobrun", words + [String](repeating: "9", count: 6), on: terminal,
      environment: workshop.environment)
    // It says why the rest is cancelled only if it has seen that happen.
    try terminal.wait(untilShown: "1 running")
    let opened = try workshop.openGate()
    try terminal.wait(untilShown: "job 2 failed; the rest of Sums is cancelled")
    try terminal.wait(
      untilShown: "1 failed (first: job 2), 1 succeeded, 6 cancelled, in")
    #expect(try each.wait().status == 3)
    #expect(lines() == ["0", "3"])
    #expect(try workshop.jobrun("list").output.isEmpty)
    withExtendedLifetime(opened) {}
  }

  @Test func `with halt one that fails ends all, also when the terminal is gone`() throws {
    try workshop.jobrun("slots", "1")
    let terminal = try Pseudoterminal()
    let script = "echo $0 >> \(ledger); test $0 != 1 || read line < \"$GATE\"; exit 7"
    let each = try workshop.sandbox.start(
      "jobrun", ["each", "--halt", "--", "sh", "-c", script, ":::", "1", "2", "3"], on: terminal,
      environment: workshop.environment)
    try WaitFor.file(ledger)
    try terminal.wait(untilShown: "1 running")
    terminal.close()
    _ = try each.wait()
    let opened = try workshop.openGate()
    #expect(try workshop.waitForEnd(1).outcome == .failed)
    for number in [2, 3] as [UInt64] {
      let job = try workshop.waitForEnd(number)
      #expect(job.outcome == .cancelled)
      #expect(job.stopReason?.message == "job 1, which was submitted with it, failed")
    }
    #expect(lines() == ["1"])
    withExtendedLifetime(opened) {}
  }

  @Test func `the line of a thousand says how far they are at 20, 50 and 90 per cent`() throws {
    try workshop.jobrun("slots", "1")
    let gate = workshop.sandbox.path("gate")
    _ = try workshop.sandbox.run("mkfifo", [201, 501, 901].map { "\(gate).\($0)" })
    let script = "case $0 in 201|501|901) read line < \(gate).$0 || :;; esac"
    let numbers = (1...1_000).map { "\($0)" }
    let terminal = try Pseudoterminal()
    let each = try workshop.sandbox.start(
      "jobrun", ["each", "--title", "Render", "--", "sh", "-c", script, ":::"] + numbers,
      on: terminal, environment: workshop.environment)
    for (number, shown) in [
      (201, "20 %  200/1,000    1 running  0 failed"),
      (501, "50 %  500/1,000    1 running  0 failed"),
      (901, "90 %  900/1,000    1 running  0 failed"),
    ] {
      try terminal.wait(untilShown: shown)
      _ = try workshop.sandbox.run("sh", ["-c", ": > \(gate).\(number)"])
    }
    // Read to the end first: what a full terminal does not take is lost.
    try terminal.wait(untilShown: "Render: 1,000 succeeded")
    #expect(try each.wait().status == 0)
  }

  @Test func `Ctrl-C in the middle leaves nothing of it`() throws {
    try workshop.jobrun("run", "--detach", "--", "sleep", "1000")
    let terminal = try Pseudoterminal()
    let script = "echo $0 >> \(ledger); exec sleep 1000"
    let numbers = (1...300).map { "\($0)" }
    let each = try workshop.sandbox.start(
      "jobrun", ["each", "--", "sh", "-c", script, ":::"] + numbers, on: terminal,
      environment: workshop.environment)
    try WaitFor.file(ledger)
    try terminal.send("\u{3}")
    #expect(try each.wait().status == 130)
    #expect(try workshop.jobrun("list", "--format", "number").output == "1\n")
    #expect(lines().count == 1)
    let ended = try workshop.jobrun("list", "--all", "--json").output.split(separator: "\n")
    #expect(ended.filter { $0.contains("\"outcome\":\"cancelled\"") }.count == 300)
    try workshop.jobrun("cancel", "1", "--now")
  }

  @Test func `inputs are read from where standard input is`() throws {
    try workshop.sandbox.write("HEADER\na\nb\n", to: "list")
    let finished = try workshop.sandbox.run(
      "sh", ["-c", "{ read -r header; jobrun each -- sh -c 'echo $0 >> \(ledger)'; } < list"],
      environment: workshop.environment)
    #expect(finished.status == 0, "\(finished.errors)")
    #expect(lines() == ["a", "b"])
  }

  @Test func `a hidden command does not show its inputs, in the title neither`() throws {
    let finished = try workshop.jobrun(
      "each", "--quiet", "--hide-command", "--title", "Upload", "--", "true", ":::", "secret")
    #expect(finished.status == 0, "\(finished.errors)")
    #expect(try workshop.show(1).title == "Upload")
    #expect(try !workshop.jobrun("show", "1", "--json").output.contains("secret"))
  }

  @Test func `a title that is as long as it may be is taken`() throws {
    for length in [250, 251, 253] {
      let title = String(repeating: "t", count: length)
      let finished = try workshop.jobrun(
        "each", "--quiet", "--title", title, "--", "true", ":::", "a")
      #expect(finished.status == 0, "\(finished.errors)")
    }
    #expect(try workshop.show(1).title == String(repeating: "t", count: 250) + " a")
    #expect(try workshop.show(2).title == String(repeating: "t", count: 251))
  }

  @Test func `whoever leaves finds the jobs going on`() throws {
    let finished = try workshop.jobrun(
      "each", "--detach", "--json", "--", "sh", "-c", "read line < \"$GATE\"", ":::", "1", "2")
    #expect(finished.status == 0)
    #expect(finished.output == "{\"first\":1,\"count\":2}\n")
    let opened = try workshop.openGate()
    #expect(try workshop.jobrun("wait", "1", "2").status == 0)
    withExtendedLifetime(opened) {}
  }

  @Test func `a runner that is killed loses none and runs none twice`() throws {
    let each = try workshop.sandbox.start(
      "jobrun",
      ["each", "--", "sh", "-c", "echo $0 >> \(ledger)", ":::"] + (1...40).map { "\($0)" },
      environment: workshop.environment)
    try WaitFor.file(ledger)
    try workshop.killRunner()
    #expect(try each.wait().status == 0)
    #expect(lines() == (1...40).map { "\($0)" }.sorted())
  }

  @Test func `what cannot be is refused, and nothing is accepted`() throws {
    #expect(try workshop.jobrun("each", "--", "true", "{3}", ":::", "a").status == 64)
    #expect(
      try workshop.jobrun("each", "--halt", "--keep-going", "--", "true", ":::", "a").status == 64)
    let list = workshop.sandbox.path("list")
    try Data(String(repeating: "x\n", count: 1_100).utf8).write(to: URL(fileURLWithPath: list))
    let refused = try workshop.jobrun("each", "--", "true", "::::", list, list)
    #expect(refused.status == 69)
    #expect(refused.errors.contains("1,210,000 jobs are more than may wait"))
    #expect(try workshop.jobrun("list", "--all").output.isEmpty)
  }
}
