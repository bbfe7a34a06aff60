import JobCore
import JobWire
import TestKit
import Testing

@testable import jobrun

/// The last line about a job, and the exit code that goes with it.
struct ReceiptTests {
  @Test func `a success says how long, how much and how fast`() {
    var job = Sample.ended(.succeeded, exitCode: 0)
    job.progress = JobProgress(completed: 2_800_000_000, total: 2_800_000_000, unit: .bytes)
    #expect(
      Receipt.line(job).text == "✓ 12 Trip 2026 succeeded in 14.2 s · 2.8 GB · 197 MB/s")
  }

  @Test func `a failure says with which code and the worker's last words`() {
    var job = Sample.ended(.failed, exitCode: 3)
    job.message = "the source is missing"
    #expect(
      Receipt.line(job).text
        == "✗ 12 Trip 2026 failed (exit code 3) after 14.2 s: the source is missing")
    job.signal = 11
    #expect(Receipt.line(job).text.contains("failed (killed by SIGSEGV)"))
  }

  @Test func `a stop says why and how far it came`() {
    var job = Sample.ended(.cancelled)
    job.stopReason = StopReason(.user, "it was cancelled on request")
    job.progress = JobProgress(completed: 3, total: 10)
    #expect(
      Receipt.line(job).text
        == "■ 12 Trip 2026 cancelled after 14.2 s · 3/10 items · 13/min")
    job.stopReason = StopReason(.user, "job 7, which was submitted with it, failed")
    #expect(
      Receipt.line(job).text.hasSuffix("13/min: job 7, which was submitted with it, failed"))
  }

  @Test func `the end of the output does not repeat what the receipt says`() throws {
    try withSandbox { sandbox in
      var job = Sample.ended(.failed, exitCode: 1)
      job.log = sandbox.path("1.log")
      job.message = "checksum: /nowhere does not exist"
      try sandbox.write("checksum: /nowhere does not exist \n", to: "1.log")
      #expect(Receipt.outputEnd(job) == [])
      try sandbox.write("begun\nchecksum: /nowhere does not exist\n", to: "1.log")
      #expect(Receipt.outputEnd(job) == ["begun"])
      try sandbox.write("checksum: /nowhere does not exist\nbye\n", to: "1.log")
      #expect(Receipt.outputEnd(job).count == 2)
    }
  }

  @Test func `facts say what is so, not what is not`() {
    var job = Sample.job()
    job.controlGroup = false
    job.progress = JobProgress(
      completed: 3, total: 10, source: .output, recogniser: "rsync")
    func names() -> [String] { JobFacts.all(job).map(\.name) }
    func value(_ name: String) -> String? { JobFacts.all(job).first { $0.name == name }?.value }
    #expect(!names().contains("kind") && !names().contains("attached"))
    #expect(value("control group") == "no" && value("seen in") == "its output (rsync)")
    job.attached = 1
    job.terms.kind = .refresh
    job.signal = 11
    job.use.maxResidentBytes = 3 << 29
    #expect(value("kind") == "refresh" && value("attached") == "1 terminal or program")
    #expect(value("signal") == "SIGSEGV (11)" && value("peak memory") == "1.5 GiB")
    job.progress?.source = .page
    job.progress?.recogniser = nil
    #expect(value("seen in") == "its reports")
  }

  @Test(arguments: [
    (Outcome.succeeded, nil as Int32?, 0 as Int32), (.failed, 3, 3), (.failed, 64, 1),
    (.failed, nil, 1), (.failed, 0, 1), (.cancelled, nil, 130), (.expired, nil, 124),
    (.interrupted, nil, 76), (.refused, nil, 69),
  ])
  func `the end of a job is the end of its terminal`(
    outcome: Outcome, worker: Int32?, code: Int32
  ) {
    var attachment = AttachedJob(Sample.job(), steers: true)
    let effects = attachment.handle(
      .feed(.snapshot(Sample.ended(outcome, exitCode: worker))), at: Sample.now)
    #expect(effects == [.finish(code)])
  }
}

/// The table of `jobrun list`.
struct JobTableTests {
  @Test func `columns line up, and what a job waits for stands below it`() {
    var running = Sample.job(title: "写真")
    running.progress = JobProgress(completed: 5, total: 10)
    var queued = Sample.job(.queued, title: "Backup")
    queued.number = JobNumber(113)
    queued.position = 1
    queued.pendingReason = PendingReason(.slots, "both slots are taken")
    let lines = JobTable.lines([running, queued], width: nil, at: Sample.now).map(\.text)
    #expect(
      lines == [
        " 12  running  ━━━━━─────  50 %  写真    0:42  io.jobrun.samples.export.k3f9",
        "113  queued                     Backup  1:40  io.jobrun.samples.export.k3f9",
        "     #1 in the queue: both slots are taken",
      ])
  }

  @Test func `groups have a column where there are any`() {
    var jobs = ["a", "bb"].enumerated().map { index, title in
      var job = Sample.job(title: title)
      job.number = JobNumber(UInt64(index + 1))
      return job
    }
    jobs[1].terms.group = "render"
    let lines = JobTable.lines(jobs, width: nil, at: Sample.now).map(\.text)
    #expect(
      lines == [
        "1  running  a                 0:42  io.jobrun.samples.export.k3f9",
        "2  running  bb  group:render  0:42  io.jobrun.samples.export.k3f9",
      ])
  }

  @Test func `what waits for its time says what else it waits for`() {
    var (spent, nightly) = (Sample.job(.queued), Sample.job(.queued))
    spent.pendingReason = PendingReason(.budget, "org.example has used its 2 starts per 24 h")
    nightly.pendingReason = PendingReason(.notBefore, "later")
    nightly.terms.requires = ["power"]
    let time = WallTime(milliseconds: Sample.now.wall.milliseconds + 7_200_000)
    (spent.terms.earliest, nightly.terms.earliest) = (time, time)
    let lines = JobTable.lines([spent, nightly], width: nil, at: Sample.now).map(\.text)
    let shown = ShownTime.ahead(time, now: Sample.now.wall)
    #expect(lines[1] == "    at \(shown): org.example has used its 2 starts per 24 h")
    #expect(lines[3] == "    at \(shown), needs power")
  }

  @Test func `what several wait for stands once above them, in their order`() {
    var jobs = (1...4).map { number in
      var job = Sample.job(.queued, title: "Job \(number)")
      job.number = JobNumber(UInt64(number))
      job.position = 5 - number
      job.pendingReason = PendingReason(.slots, "both slots are taken by jobs 8 and 9")
      return job
    }
    jobs[1].pendingReason = PendingReason(.gpu, "job 9 holds the GPU")
    jobs.append(Sample.job(.running))
    let lines = JobTable.lines(jobs, width: 60, at: Sample.now).map(\.text)
    let expected = [
      " 2  queued   Job 2      1:40  io.jobrun.samples.e",
      "    #3 in the queue: job 9 holds the GPU",
      "12  running  Trip 2026  0:42  io.jobrun.samples.e",
      "3 wait: both slots are taken by jobs 8 and 9",
      " 4  queued   Job 4      1:40  io.jobrun.samples.e",
      " 3  queued   Job 3      1:40  io.jobrun.samples.e",
      " 1  queued   Job 1      1:40  io.jobrun.samples.e",
    ]
    #expect(lines.map { String($0.prefix(49)) } == expected)
  }

  /// Jobs in line, behind one that runs.
  private func crowd(_ count: Int) -> [JobStatus] {
    (1...count).map { number in
      var job = Sample.job(number == 1 ? .running : .queued, title: "Job \(number)")
      job.number = JobNumber(UInt64(number))
      guard number > 1 else { return job }
      job.position = number - 1
      job.pendingReason = PendingReason(.slots, "the slot is taken by job 1")
      return job
    }
  }

  @Test func `a long list is printed while it comes, each job once and in line`() {
    let jobs = crowd(2 * JobTable.pageRows + 10)
    var table = JobTable(width: nil, at: Sample.now)
    var early: [Line] = []
    for job in jobs { early += table.add(job) }
    #expect(early.count == 2 * JobTable.pageRows + 1)
    let lines = (early + table.finish()).map(\.text)
    #expect(lines[1] == "these wait: the slot is taken by job 1")
    let rows = [lines[0]] + lines.dropFirst(2)
    #expect(rows.map { Int($0.prefix(6).drop { $0 == " " }) } == jobs.map { Int($0.number.value) })
    #expect(Set(rows.map(\.count)).count == 1)
  }

  @Test func `a list that is one page says how many wait`() {
    let lines = JobTable.lines(crowd(JobTable.pageRows), width: nil, at: Sample.now).map(\.text)
    #expect(lines[1] == "\(JobTable.pageRows - 1) wait: the slot is taken by job 1")
  }

  @Test func `what stands alone between two pages of a group has the group named again`() {
    var jobs = crowd(3 * JobTable.pageRows)
    jobs[JobTable.pageRows + 7].pendingReason = PendingReason(.gpu, "job 9 holds the GPU")
    let lines = JobTable.lines(jobs, width: nil, at: Sample.now).map(\.text)
    let places = lines.indices.filter { lines[$0] == "these wait: the slot is taken by job 1" }
    #expect(places.first == 1)
    #expect(places.count == 2)
    #expect(lines[(places.last ?? 1) - 1].hasSuffix("job 9 holds the GPU"))
  }

  @Test func `on a terminal every row fits`() {
    var job = Sample.job(title: "写真 📷 旅行の写真をまとめて書き出す")
    job.warning = "写真 has been silent for 80 s"
    for width in 1...100 {
      for line in JobTable.lines([job], width: width, at: Sample.now) {
        #expect(line.width <= width)
      }
    }
  }
}
