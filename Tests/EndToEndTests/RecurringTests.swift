import Foundation
import JobCore
import JobStore
import JobWire
import LinuxSystem
import TestKit
import Testing

/// Recurring commands.
@Suite struct RecurringTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop()
  }

  private func schedule(_ words: String...) throws -> JobStatus {
    let finished = try workshop.sandbox.run(
      "jobrun", ["schedule", "--json"] + words, environment: workshop.environment)
    #expect(finished.status == 0, "\(finished.errors)")
    return try Workshop.object(finished.output)
  }

  private var pending: [JobStatus] {
    get throws {
      try workshop.jobrun("pending", "--json").output.split(separator: "\n")
        .map { try JobStatus(json: Array($0.utf8)[...]) }
    }
  }

  @Test func `a run is followed by the next, which waits for its time`() throws {
    let first = try schedule(
      "--every", "1d", "--earliest", "+1s", "--title", "Backup", "--", "echo", "ran")
    #expect(first.terms.recurrence?.every == .minutes(24 * 60))
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
    let next = try #require(try pending.first)
    #expect(next.number == JobNumber(2))
    #expect(next.title == "Backup")
    #expect(next.terms.command == ["echo", "ran"])
    #expect(next.identifier == first.identifier + ".2")
    let from = try #require(first.terms.earliest)
    let to = try #require(next.terms.earliest)
    #expect(abs(to.milliseconds - from.milliseconds - 86_400_000) <= 3_600_000)
    #expect(try workshop.jobrun("pending").output.contains("every 1d at "))
    #expect(try workshop.jobrun("show", "2").output.contains("every 1d at "))
    try workshop.jobrun("simulate", "launch", "2")
    #expect(try workshop.waitForEnd(2).outcome == .succeeded)
    #expect(try pending.map(\.identifier) == [first.identifier + ".3"])
    #expect(try workshop.jobrun("cancel", "3").status == 0)
    #expect(try pending == [])
  }

  @Test func `at is the clock here, and without every it is once`() throws {
    let job = try schedule("--every", "1d", "--at", "03:00", "--", "true")
    #expect(LocalClock.text(try #require(job.terms.earliest).milliseconds) == "03:00")
    #expect(job.terms.recurrence == Recurrence(every: .minutes(1440), minuteOfDay: 180))
    let once = try schedule("--at", "3:00", "--", "true")
    #expect(once.terms.recurrence == nil)
    #expect(once.terms.earliest == job.terms.earliest)
    let often = try schedule("--every", "6h", "--at", "03:00", "--", "true")
    let ahead = try #require(often.terms.earliest).milliseconds - WallClock.now()
    #expect(ahead > 0 && ahead <= 7 * 3_600_000)
  }

  @Test(arguments: [
    (["--every", "59s", "--", "true"], "a minute (1m) is the shortest"),
    (["--every", "0s", "--", "true"], "a minute (1m) is the shortest"),
    (["--every", "1d", "--at", "25:00", "--", "true"], "it must be a time of day"),
    (["--every", "1d"], "a command after --"),
    (["--", "true"], "schedule needs a time"),
    (["--every", "1d", "--stdin", "-", "--", "true"], "must be a file"),
    (["tick", "--every", "1d"], "--every is for commands"),
  ])
  func `what makes no schedule is refused`(words: [String], problem: String) throws {
    let finished = try workshop.sandbox.run(
      "sh", ["-c", "echo x | jobrun schedule \"$@\"", "sh"] + words,
      environment: workshop.environment)
    #expect(finished.status == 64)
    #expect(finished.errors.contains(problem), "\(finished.errors)")
    #expect(try workshop.jobrun("list", "--all", "--json").output == "")
  }

  @Test func `one run at a time, and a failed one is followed, too`() throws {
    _ = try schedule(
      "--every", "1m", "--earliest", "+0s", "--", "sh", "-c",
      "echo > \"$READY.$JOBRUN_JOB\"; read x < \"$GATE\"; exit 3")
    try workshop.awaitReady(1)
    let next = try #require(try pending.first)
    #expect(next.terms.afterAny == [JobNumber(1)])
    #expect(next.pendingReason?.message == "waits for job 1 to end")
    let gate = try workshop.openGate()
    defer { gate.signal(9) }
    #expect(try workshop.waitForEnd(1).outcome == .failed)
    #expect(try workshop.show(2).pendingReason?.code == .notBefore)
    try workshop.jobrun("cancel", "--all")
  }

  @Test func `crash and stop of the runner leave the schedule`() throws {
    _ = try schedule(
      "--every", "1d", "--earliest", "+0s", "--", "sh", "-c",
      "echo > \"$READY.$JOBRUN_JOB\"; read x < \"$GATE\"")
    try workshop.awaitReady(1)
    try RecoveryTests.crash(workshop)
    #expect(try pending.map(\.number.value) == [2])
    try workshop.jobrun("runner", "stop")
    let waiting = try pending
    #expect(waiting.map(\.number.value) == [2])
    #expect(waiting.first?.terms.recurrence?.every == .minutes(1440))
    #expect(try workshop.show(1).outcome == .interrupted)
  }

  /// The runner's clock is forty days ahead while the first run begins.
  @Test func `a clock that is set right does not put off the next run`() throws {
    let library = workshop.sandbox.path("faulty.so")
    try StubLibrary.build("FaultyMachine/faulty_machine.c", at: library)
    let ahead = try workshop.sandbox.write("3456000", to: "faults/clock")
    let environment = [
      "LD_PRELOAD": library, "FAULTS": File.parent(of: ahead), "FAULTY_PROGRAM": "jobrund",
    ]
    #expect(try workshop.jobrun("list", environment: environment).status == 0)
    _ = try schedule("--every", "1h", "--earliest", "+0s", "--", "true")
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
    let late = WallClock.now() + 30 * 86_400_000
    #expect(try #require(pending.first?.terms.earliest).milliseconds > late)
    try File.remove(ahead)
    // A request with a time makes the runner read the clock.
    _ = try schedule("--every", "1d", "--earliest", "+1h", "--", "true")
    let next = try #require(pending.first { $0.number == JobNumber(2) }?.terms.earliest)
    #expect(next.milliseconds < WallClock.now() + 2 * 3_600_000)
  }

  /// As if five days had passed; the store is closed again with the return, as it is its opener's alone.
  private func moveBack() throws {
    let store = try Store(path: workshop.sandbox.home + "/state/jobrun.db")
    var row = try #require(try store.job(JobNumber(1)))
    let past = WallClock.now() - 5 * 86_400_000
    row.submission.notBefore = WallTime(milliseconds: past)
    try store.transaction(.full) { () throws(StoreError) in
      row.state = .ended(.succeeded, nil)
      try store.update(row)
      _ = try store.remove(row.number)
      row.state = .accepted
      row.number = JobNumber(2)
      row.submission.key += "x"
      try store.insert(
        row, specification: try store.specification(JobNumber(1))?.bytes ?? Self.echo)
    }
  }

  @Test func `what was missed while no runner was there runs once`() throws {
    _ = try schedule("--every", "1d", "--earliest", "+1h", "--", "echo", "late")
    try workshop.jobrun("runner", "stop")
    try moveBack()
    #expect(try workshop.waitForEnd(2).outcome == .succeeded)
    let next = try pending
    #expect(next.count == 1)
    #expect(try #require(next.first?.terms.earliest).milliseconds > WallClock.now())
  }

  /// `echo late`, as a submitter hands it over.
  private static let echo = Array("/\u{0}2\u{0}/bin/echo\u{0}late\u{0}PATH=/bin\u{0}".utf8)
}
