import Foundation
import JobCore
import JobWire
import TestKit
import Testing

@Suite struct LifeTests {
  @Test func `a job runs where it was submitted, with its arguments and environment`() throws {
    let workshop = try Workshop()
    try workshop.define("tell", "pwd; printf '%s|' \"$@\"; echo \"$FLAVOUR\"; cat")
    let finished = try workshop.jobrun(
      "submit", "tell", "--", "two words", "", "ünï", environment: ["FLAVOUR": "mint"])
    #expect(finished.status == 0, "\(finished.errors)")
    let log = try workshop.jobrun("log", "1").output
    #expect(log == "\(workshop.sandbox.work)\ntwo words||ünï|mint\n")
  }

  @Test func `the worker's exit code is the command's exit code, and the job failed`() throws {
    let workshop = try Workshop()
    try workshop.define("fail", "echo about to fail; exit 7")
    let finished = try workshop.jobrun("submit", "fail")
    #expect(finished.status == 7)
    #expect(finished.errors.contains("about to fail"), "the log's tail is shown on failure")
    let job = try workshop.show(1)
    #expect(job.outcome == .failed)
    #expect(job.exitCode == 7)
    #expect(job.ended != nil)
  }

  @Test func `a worker killed by a signal failed with that signal`() throws {
    let workshop = try Workshop()
    try workshop.define("crash", "kill -SEGV $$")
    #expect(try workshop.jobrun("submit", "crash").status == 1)
    let job = try workshop.show(1)
    #expect(job.outcome == .failed)
    #expect(job.signal == 11)
    #expect(job.exitCode == nil)
  }

  @Test func `processor time and memory of the whole tree are recorded`() throws {
    let workshop = try Workshop()
    try workshop.define("work", "sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'")
    #expect(try workshop.jobrun("submit", "work").status == 0)
    let job = try workshop.show(1)
    #expect(try #require(job.use.cpuSeconds) > 0.01)
    #expect(try #require(job.use.maxResidentBytes) > 100_000)
  }

  @Test func `what went to disks is recorded, of children too`() throws {
    let workshop = try Workshop()
    try workshop.define(
      "write", "sh -c 'head -c 5000000 /dev/zero > \"$READY.zeros\"; sync \"$READY.zeros\"'")
    #expect(try workshop.jobrun("submit", "write").status == 0)
    let written = try #require(try workshop.show(1).use.bytesWritten)
    #expect((5_000_000..<20_000_000).contains(written))
    let usage = try workshop.jobrun("usage", "--json").output
    #expect(usage.contains("\"bytesWritten\":\(written),"), "\(usage)")
    #expect(try workshop.jobrun("show", "1").output.contains("written to disks"))
    // Another runner reads it from the store.
    #expect(try workshop.jobrun("runner", "stop").status == 0)
    #expect(try workshop.show(1).use.bytesWritten == written)
  }

  @Test func `children that a worker leaves behind end with the job`() throws {
    let workshop = try Workshop()
    try workshop.define(
      "leave", "setsid sh -c 'trap \"\" TERM; sleep 1000' & (sleep 1000 &) ; exit 0",
      ", \"grace\": \"200ms\"")
    #expect(try workshop.jobrun("submit", "leave").status == 0)
    #expect(try workshop.show(1).outcome == .succeeded)
    #expect(workshop.strays().isEmpty)
  }

  @Test func `history survives a new runner`() throws {
    let workshop = try Workshop()
    try workshop.define("quick", "exit 0")
    #expect(try workshop.jobrun("submit", "quick", "--title", "First of all").status == 0)
    #expect(try workshop.jobrun("runner", "stop").status == 0)
    let job = try workshop.show(1)
    #expect(job.title == "First of all")
    #expect(job.outcome == .succeeded)
    #expect(try workshop.submit("quick").number == JobNumber(2))
  }

  @Test func `what the worker reports is seen while it runs and kept when it ended`() throws {
    let workshop = try Workshop()
    try workshop.define(
      "report",
      """
      jobrun progress --total 8 --completed 2 --unit items --subtitle 'two of eight'
      : > "$READY.1"; read line < "$GATE"
      jobrun progress --advance 6
      """)
    let job = try workshop.submit("report")
    try workshop.awaitRunning(1)
    let running = try workshop.show(1)
    #expect(running.state == .running)
    #expect(running.progress?.completed == 2)
    #expect(running.progress?.fraction == 0.25)
    #expect(running.subtitle == "two of eight")
    let opened = try workshop.openGate()
    let ended = try workshop.waitForEnd(job.number.value)
    #expect(ended.outcome == .succeeded)
    #expect(ended.progress?.completed == 8)
    withExtendedLifetime(opened) {}
  }

  @Test func `everybody hears until when a job is quiet, and at its end of that no more`() throws {
    let workshop = try Workshop()
    try workshop.define(
      "quiet",
      """
      jobrun progress --total 8 --completed 2 --quiet-for 1h
      : > "$READY.1"; read line < "$GATE"
      """)
    _ = try workshop.submit("quiet")
    try workshop.awaitRunning(1)
    let running = try workshop.show(1)
    let quiet = try #require(running.quietUntil)
    let started = try #require(running.started)
    #expect(quiet.milliseconds - started.milliseconds > 3_500_000)
    #expect(running.isQuiet(at: started))
    let opened = try workshop.openGate()
    #expect(try workshop.waitForEnd(1).quietUntil == nil)
    withExtendedLifetime(opened) {}
  }

  @Test func `a command without a definition runs under an identifier of its own`() throws {
    let workshop = try Workshop()
    let finished = try workshop.jobrun("run", "--title", "Plain", "--", "sh", "-c", "exit 3")
    #expect(finished.status == 3)
    let job = try workshop.show(1)
    #expect(job.identifier.hasPrefix("io.jobrun.run."))
    #expect(job.definition == nil)
    #expect(job.outcome == .failed)
  }
}

extension Workshop {
  /// Processes of this sandbox that belong to a job's tree.
  func strays() -> [String] {
    sandbox.processes.compactMap { pid in
      let path = "/proc/\(pid)/environ"
      guard let bytes = FileManager.default.contents(atPath: path),
        bytes.range(of: Data("JOBRUN_TOKEN=".utf8)) != nil
      else { return nil }
      return try? String(contentsOfFile: "/proc/\(pid)/cmdline", encoding: .utf8)
    }
  }
}
