import JobCore
import JobWire
import LinuxSystem
import Testing

@testable import jobrun

/// The sums of `jobrun usage`, and their display.
struct UsageTests {
  private static func job(
    _ definition: String?, _ outcome: Outcome = .succeeded, ran: Double, cpu: Double,
    memory: UInt64 = 0, day: Int = 14, identifier: String? = nil
  ) -> JobStatus {
    let ended = LocalClock.milliseconds(year: 2026, month: 3, day: day, hour: 0, minute: 5)
    let name = definition.map { "samples.\($0)" } ?? "run"
    var job = JobStatus(
      number: JobNumber(1), identifier: identifier ?? "io.jobrun.\(name).k3f9", title: "",
      submitted: WallTime(milliseconds: ended - 86_400_000), log: "", stateDirectory: "")
    job.definition = definition
    job.outcome = outcome
    job.started = WallTime(milliseconds: ended - Int64(ran * 1000))
    job.ended = WallTime(milliseconds: ended)
    job.use.cpuSeconds = cpu
    job.use.maxResidentBytes = memory
    return job
  }

  private static let day = [
    job("export", ran: 1200, cpu: 2400, memory: 812_000_000),
    job("export", .expired, ran: 242, cpu: 70, memory: 3_000_000, day: 13),
    job(nil, ran: 60, cpu: 30, memory: 7_400_000),
    job("mirror", .failed, ran: 0.5, cpu: 0),
  ]

  private static func report(_ grouping: UsageSum.Grouping) -> UsageReport {
    var report = UsageReport(by: grouping)
    for job in day { report.add(job) }
    return report
  }

  private static func text(_ report: UsageReport, width: Int? = nil) -> String {
    UsageTable.lines(report, width: width).map { line in
      var text = line.text
      while text.last == " " { text.removeLast() }
      return text
    }.joined(separator: "\n")
  }

  @Test func `a row for each definition, whoever used most first`() {
    #expect(
      Self.text(Self.report(.definition)) == """
                    jobs  failed         ran    processor   memory
        export         2       1  24 min 2 s  41 min 10 s  774 MiB  ━━━━━━━━━━━━━━━━━━━╸  98 %
        (commands)     1           1 min 0 s       30.0 s  7.1 MiB  ╸───────────────────   1 %
        mirror         1       1       0.5 s        0.0 s           ────────────────────   0 %
        """)
    #expect(
      UsageTable.total(Self.report(.definition)).text
        == "4 jobs: 25 min 3 s in all, 41 min 40 s of processor time")
  }

  @Test func `GPUs and disks have columns where anybody used them`() {
    var report = UsageReport(by: .definition)
    var job = Self.job("train", ran: 90, cpu: 30, memory: 7_400_000)
    job.gpus = ["GPU-1", "GPU-2"]
    (job.use.bytesRead, job.use.bytesWritten) = (5_000_000_000, 120_000)
    (job.use.processorJoules, job.use.gpuJoules) = (7_000, 20_000)
    report.add(job)
    report.add(job)
    report.add(Self.job("idle", ran: 3, cpu: 0))
    #expect(
      Self.text(report) == """
               jobs  failed        ran  processor   memory        gpu     read  written   energy
        train     2          3 min 0 s  1 min 0 s  7.1 MiB  6 min 0 s  10.0 GB   240 kB  15.0 Wh  ━━━━━━━━━━━━━━━━━━━━ 100 %
        idle      1              3.0 s      0.0 s                                                 ────────────────────   0 %
        """)
  }

  @Test func `what was cancelled has not failed`() {
    var report = UsageReport(by: .definition)
    report.add(Self.job("train", ran: 3, cpu: 1))
    report.add(Self.job("train", .cancelled, ran: 3, cpu: 1))
    report.add(Self.job("train", .refused, ran: 0, cpu: 0))
    #expect(
      Self.text(report) == """
               jobs  failed  cancelled    ran  processor  memory
        train     3       1          1  6.0 s      2.0 s          ━━━━━━━━━━━━━━━━━━━━ 100 %
        """)
  }

  @Test(arguments: [30, 60, 72, 80]) func `no line is wider than the terminal`(width: Int) {
    for line in UsageTable.lines(Self.report(.bundle), width: width) {
      #expect(line.width <= width)
    }
  }

  @Test func `a bundle is what stands before the definition or the last label`() {
    #expect(Self.report(.bundle).rows.map(\.name) == ["io.jobrun.samples", "io.jobrun.run"])
    let own = Self.job(nil, ran: 1, cpu: 1, identifier: "org.example.app.refresh")
    #expect(UsageSum.Grouping.bundle.name(own) == "org.example.app")
    let swept = Self.job(nil, ran: 1, cpu: 1, identifier: "io.jobrun.run.k3f9.12")
    #expect(UsageSum.Grouping.bundle.name(swept) == "io.jobrun.run")
    let single = Self.job(nil, ran: 1, cpu: 1, identifier: "alone")
    #expect(UsageSum.Grouping.bundle.name(single) == "alone")
  }

  @Test func `groups and titles are added up, too`() {
    var (first, second) = (Self.job(nil, ran: 1, cpu: 2), Self.job(nil, ran: 1, cpu: 1))
    (first.terms.group, first.title, second.title) = ("render", "Frame", "Frame")
    for (grouping, names) in [
      (UsageSum.Grouping.group, ["render", "(no group)"]), (.title, ["Frame"]),
    ] {
      var report = UsageReport(by: grouping)
      report.add(first)
      report.add(second)
      #expect(report.rows.map(\.name) == names)
    }
  }

  @Test func `days are those of this place, on which jobs ended, in their order`() {
    let rows = Self.report(.day).rows
    #expect(rows.map(\.name) == ["2026-03-13", "2026-03-14"])
    #expect(rows.map(\.jobs) == [1, 3])
    #expect(rows.map(\.failed) == [1, 1])
  }

  @Test func `what used no processor time has no share, and nothing is divided by it`() {
    var report = UsageReport(by: .definition)
    report.add(Self.job("idle", ran: 3, cpu: 0))
    #expect(report.rows.map(report.share) == [0])
  }
}
