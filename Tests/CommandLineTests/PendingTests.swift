import JobCore
import JobWire
import LinuxSystem
import TestKit
import Testing

@testable import jobrun

/// The output of `jobrun pending`.
struct PendingTests {
  private func job(
    _ number: UInt64, _ kind: Submission.Kind, _ reason: PendingReason, earliest: Int64? = nil
  ) -> JobStatus {
    var job = Sample.job(.queued)
    job.number = JobNumber(number)
    job.identifier = "io.jobrun.samples.\(kind)"
    job.terms.kind = kind
    job.pendingReason = reason
    job.terms.earliest = earliest.map { WallTime(milliseconds: Sample.now.wall.milliseconds + $0) }
    return job
  }

  private func text(_ jobs: [JobStatus], width: Int? = nil) -> String {
    PendingTable.lines(jobs, width: width, at: Sample.now).map { $0.rendered(colour: false) }
      .joined(separator: "\n")
  }

  @Test func `each job is shown by its title, with what it waits for`() {
    let midnight = Sample.now.wall.milliseconds + 7_200_000
    var night = job(251, .continued, PendingReason(.notBefore, "later"), earliest: 7_200_000)
    night.title = "nb"
    var vacuum = job(9, .processing, PendingReason(.notBefore, "later"), earliest: 1_000_000_000)
    vacuum.terms.requires = ["network", "power"]
    let power = PendingReason(.power, "there is no external power: on battery")
    let slots = PendingReason(.slots, "both slots are taken by jobs 3 and 4")
    var (first, second) = (job(11, .continued, slots), job(12, .continued, slots))
    (first.position, second.position) = (1, 2)
    let since = ShownTime.past(first.submitted, now: Sample.now.wall)
    #expect(
      text([night, vacuum, job(10, .refresh, power, earliest: -5_000), first, second]) == """
        251 nb         at \(LocalClock.text(midnight))
          9 Trip 2026  at \(ShownTime.ahead(vacuum.terms.earliest ?? Sample.now.wall, now: Sample.now.wall)), \
        needs network and power
         10 Trip 2026  there is no external power: on battery  since \(since)
         11 Trip 2026  #1 in the queue: both slots are taken by jobs 3 and 4  since \(since)
         12 Trip 2026  #2 in the queue  since \(since)
        """)
  }

  @Test func `a narrow terminal cuts, and nothing acts on it`() {
    let reason = PendingReason(.power, "no\u{1B}[2J power")
    let lines = text([job(1, .refresh, reason)], width: 20).split(separator: "\n")
    #expect(lines.allSatisfy { TextWidth.of(String($0)) <= 20 })
    #expect(!lines.contains { $0.contains("\u{1B}") })
  }

  private let runner = RunnerStatus(
    pid: 1, version: "1.0", started: WallTime(milliseconds: 0), home: "/s", socket: "/r/socket")

  @Test func `only what waits is listed, and nothing waiting is said so`() throws {
    let sandbox = try Sandbox()
    let fake = try FakeRunner(in: sandbox)
    let program = try sandbox.start("jobrun", ["pending", "--json"])
    let visitor = try fake.visitor()
    let list = try visitor.request()
    #expect(list.request == .list(all: false))
    let waiting = job(13, .refresh, PendingReason(.network, "there is no network"))
    try visitor.tell(job: Sample.job(), of: list.id)
    try visitor.tell(job: waiting, of: list.id)
    try visitor.answer(list.id, .count(2))
    let finished = try program.wait()
    #expect(finished.status == 0)
    #expect(finished.output == String(decoding: waiting.json, as: UTF8.self) + "\n")
    let idle = try sandbox.start("jobrun", ["pending"])
    let other = try fake.visitor()
    try other.answer(other.request().id, .count(0))
    try other.answer(other.request().id, .status(runner))
    #expect(try idle.wait().errors == "no jobs are waiting\n")
  }
}
