import JobCore
import JobWire
import LinuxSystem
import TestKit
import Testing

@testable import jobrun

/// The output of `jobrun history`, and its requests.
struct HistoryTests {
  private static let now = WallTime(
    milliseconds: LocalClock.milliseconds(year: 2026, month: 3, day: 14, hour: 16, minute: 0))

  /// Ended at 14:02 on that Saturday.
  private func job(
    _ number: UInt64, _ title: String, _ outcome: Outcome, seconds: Double? = nil,
    message: String? = nil
  ) -> JobStatus {
    var job = Sample.job(.ended, title: title)
    job.number = JobNumber(number)
    job.outcome = outcome
    job.message = message
    let ended = LocalClock.milliseconds(year: 2026, month: 3, day: 14, hour: 14, minute: 2)
    job.ended = WallTime(milliseconds: ended)
    job.started = seconds.map { WallTime(milliseconds: ended - Int64($0 * 1000)) }
    return job
  }

  private func text(_ jobs: [JobStatus], width: Int? = nil) -> String {
    HistoryTable.lines(jobs, width: width, now: Self.now).map(\.text).joined(separator: "\n")
  }

  @Test func `a line says how, what, when, how long and why`() {
    var crashed = job(9, "crash", .failed, seconds: 0.04)
    crashed.signal = 11
    var code = job(10, "make -j8", .failed, seconds: 3720)
    code.exitCode = 2
    var cancelled = job(12, "Trip", .cancelled, seconds: 61)
    cancelled.stopReason = .requested
    var expired = job(13, "Trip", .expired, seconds: 120)
    expired.stopReason = StopReason(.silent, "it gave no sign of life for 2 min")
    var whole = job(14, "Copy", .succeeded, seconds: 2)
    whole.progress = JobProgress(completed: 2_800_000_000, total: 2_800_000_000, unit: .bytes)
    let refused = job(15, "写真", .refused, message: "job 4, which it depends on, failed")
    #expect(
      text([
        job(4, "Export", .failed, seconds: 8.8, message: "No space left on device"), crashed, code,
        job(11, "Notes", .succeeded, seconds: 0.2), cancelled, expired, whole, refused,
      ]) == """
         4 ✗ Export    Sat 14:02      8.8 s  No space left on device
         9 ✗ crash     Sat 14:02      0.0 s  killed by SIGSEGV
        10 ✗ make -j8  Sat 14:02  1 h 2 min  exit code 2
        11 ✓ Notes     Sat 14:02      0.2 s
        12 ■ Trip      Sat 14:02  1 min 1 s  cancelled
        13 ■ Trip      Sat 14:02  2 min 0 s  expired: it gave no sign of life for 2 min
        14 ✓ Copy      Sat 14:02      2.0 s  2.8 GB
        15 ✗ 写真      Sat 14:02             job 4, which it depends on, failed
        """)
  }

  @Test(arguments: [200, 80, 60, 40, 30, 20, 10, 1])
  func `the columns fit the width, and the number stays to the last`(width: Int) {
    let jobs = [
      job(
        4, "A title that is much longer than anybody would like", .failed, seconds: 100_000,
        message: "No space left on device, and some more about it"),
      job(1_000_000, "写真写真", .succeeded, seconds: 1),
    ]
    let lines = HistoryTable.lines(jobs, width: width, now: Self.now)
    for line in lines { #expect(line.width <= width) }
    if width >= 10 { #expect(lines[1].text.hasPrefix("1000000 ✓")) }
    if width >= 60 {
      #expect(lines[0].text.contains("Sat 14:02") && lines[0].text.contains("No s"))
    }
  }

  @Test func `nothing that a job said steers the terminal`() {
    let line = text([job(4, "a\u{1B}[2Jb", .failed, seconds: 1, message: "x\u{1B}]0;y\u{7}\nz")])
    #expect(!line.contains("\u{1B}") && !line.contains("\n"))
  }

  @Test func `command and folder are columns, too`() throws {
    var job = job(4, "x", .succeeded)
    (job.terms.command, job.terms.directory) = (["make", "-j8", "all"], "/home/me/project")
    let columns = try JobColumn.list("number,command,directory")
    #expect(
      columns.map { $0.text(of: job, at: Sample.now) } == ["4", "make -j8 all", "/home/me/project"])
    job.terms.command = nil
    #expect(JobColumn.command.text(of: job, at: Sample.now) == "")
  }

  private func totals(_ jobs: [JobStatus]) -> String? {
    var totals: [Outcome: OutcomeTotal] = [:]
    for job in jobs {
      guard let outcome = job.outcome else { continue }
      totals[outcome, default: OutcomeTotal(outcome)].add(job.ran?.milliseconds ?? 0)
    }
    return HistoryTable.text(Outcome.allCases.compactMap { totals[$0] })
  }

  @Test func `the totals count each way of ending`() {
    #expect(totals([job(1, "a", .failed, seconds: 1)]) == nil)
    let jobs = [
      job(1, "a", .failed, seconds: 1), job(2, "b", .succeeded, seconds: 3600),
      job(3, "c", .succeeded, seconds: 120), job(4, "d", .refused),
    ]
    #expect(
      totals(jobs) == "4 jobs: 2 succeeded, 1 failed, 1 refused; 1 h 2 min in all")
  }

  @Test func `what is asked for reaches the runner`() throws {
    let sandbox = try Sandbox()
    let fake = try FakeRunner(in: sandbox)
    let program = try sandbox.start(
      "jobrun",
      [
        "history", "--since", "2026-03-01", "--until", "2026-03-02", "--title", "Trip", "-n", "3",
        "--outcome", "failed",
      ], environment: ["TZ": "UTC"])
    let visitor = try fake.visitor()
    let line = try visitor.request()
    var query = HistoryQuery()
    query.limit = 3
    query.since = WallTime("2026-03-01T00:00:00Z")
    query.until = WallTime("2026-03-03T00:00:00Z")
    query.title = "Trip"
    query.outcome = .failed
    #expect(line.request == .history(query))
    try visitor.answer(line.id, .count(0))
    #expect(try program.wait().errors == "no ended job matches\n")
  }

  /// The second runner has one more ended job.
  @Test(arguments: [["usage", "--json"], ["history", "-n", "0", "--format", "number"]])
  func `jobs that come again after a runner has gone are counted once`(
    arguments: [String]
  ) throws {
    let sandbox = try Sandbox()
    let fake = try FakeRunner(in: sandbox)
    let program = try sandbox.start("jobrun", arguments)
    func ended(_ number: UInt64, at seconds: Int64) -> JobStatus {
      var job = job(number, "a", .succeeded, seconds: 1)
      job.ended = WallTime(milliseconds: seconds * 1_000)
      return job
    }
    let jobs = [ended(3, at: 9), ended(1, at: 5), ended(2, at: 5)]
    let first = try fake.visitor()
    let lost = try first.request()
    for job in [jobs[0], jobs[2]] { try first.tell(job: job, of: lost.id) }
    first.close()
    let second = try fake.visitor()
    let line = try second.request()
    for job in [ended(4, at: 10), jobs[0], jobs[2], jobs[1]] {
      try second.tell(job: job, of: line.id)
    }
    try second.answer(line.id, .count(4))
    let finished = try program.wait()
    #expect(finished.status == 0, "\(finished.errors)")
    if arguments[0] == "usage" {
      #expect(finished.output.contains("\"jobs\":3,\"succeeded\":3"))
    } else {
      #expect(finished.output == "3\n2\n1\n")
    }
  }

  @Test func `a span of time that has none in it is refused, and starts no runner`() throws {
    let sandbox = try Sandbox()
    for flags in [
      ["--since", "today", "--until", "yesterday"], ["--since", "soon"], ["--until", ""],
    ] {
      let finished = try sandbox.run("jobrun", ["history"] + flags)
      #expect(finished.status == 64, "\(finished.errors)")
    }
    #expect(sandbox.processes.isEmpty)
  }
}
