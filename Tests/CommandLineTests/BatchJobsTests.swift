import JobCore
import JobWire
import Testing

@testable import jobrun

/// A terminal that shows many jobs as one.
@Suite struct BatchJobsTests {
  private static let range = JobRange(first: JobNumber(3), count: 4)

  private static let question = BatchJobs.Effect.ask(.followMany(.range(range)))

  private static func moment(_ seconds: UInt64) -> Moment {
    Moment(
      awake: Instant(nanoseconds: seconds * 1_000_000_000),
      wall: WallTime(milliseconds: Int64(seconds) * 1_000))
  }

  private var jobs = BatchJobs("Render", .range(range), at: moment(0))

  private func event(
    _ kind: Announcement.Kind, _ number: UInt64, _ outcome: Outcome? = nil, code: Int32? = nil,
    of group: String? = nil
  ) -> BatchJobs.Event {
    var job = JobStatus(
      number: JobNumber(number), identifier: "a.b", title: "Render x",
      submitted: WallTime(milliseconds: 0), log: "/log", stateDirectory: "/state")
    job.state = outcome == nil ? .running : .ended
    job.outcome = outcome
    job.exitCode = code
    job.terms.group = group
    return .feed(.event(sequence: 1, at: WallTime(milliseconds: 0), kind, job))
  }

  /// What the runner answers; 0 = all have ended.
  private func tally(
    live: Int = 0, succeeded: Int = 0, failed: Int = 0, cancelled: Int = 0, first: UInt64? = nil,
    code: Int32? = nil
  ) -> BatchJobs.Event {
    var tally = JobTally(live: live)
    (tally.succeeded, tally.failed, tally.cancelled) = (succeeded, failed, cancelled)
    (tally.firstFailed, tally.exitCode) = (first.map { JobNumber($0) }, code)
    return .tally(tally)
  }

  private func line(_ jobs: BatchJobs, at seconds: UInt64, width: Int = 79) -> String {
    LiveView.lines(jobs.model(at: Self.moment(seconds)), width: width)[0].text
  }

  @Test mutating func `one line says how many have ended, run and failed`() {
    #expect(
      jobs.handle(.connected, at: Self.moment(0)) == [.ask(.followMany(.range(Self.range)))])
    #expect(jobs.handle(.tally(JobTally(live: 4)), at: Self.moment(0)) == [])
    _ = jobs.handle(event(.launched, 3), at: Self.moment(1))
    _ = jobs.handle(event(.launched, 4), at: Self.moment(1))
    _ = jobs.handle(event(.ended, 3, .succeeded), at: Self.moment(2))
    _ = jobs.handle(event(.launched, 5), at: Self.moment(2))
    #expect(
      line(jobs, at: 2)
        == "Render  ━━━━━━──────────────────   25 %  1/4  2 running  0 failed  0:02")
    _ = jobs.handle(event(.ended, 4, .failed, code: 7), at: Self.moment(3))
    #expect(line(jobs, at: 3).contains("2/4  1 running  1 failed"))
  }

  @Test(arguments: [(1, 0, 3), (1, 2, 1)])
  func `one success is enough where no more was wanted`(succeeded: Int, failed: Int, cancelled: Int)
  {
    let end = tally(
      succeeded: succeeded, failed: failed, cancelled: cancelled, first: failed > 0 ? 3 : nil,
      code: failed > 0 ? 7 : nil)
    var jobs = BatchJobs("Render", .range(Self.range), halts: .success, at: Self.moment(0))
    #expect(jobs.handle(end, at: Self.moment(1)) == [.finish(ExitCode.success)])
    #expect(jobs.conclusion(at: Self.moment(1)).hasPrefix("✓ Render: "))
  }

  @Test func `without any success the first failure counts`() {
    var jobs = BatchJobs("Render", .range(Self.range), halts: .success, at: Self.moment(0))
    #expect(jobs.handle(tally(failed: 4, first: 3, code: 7), at: Self.moment(1)) == [.finish(7)])
    #expect(jobs.conclusion(at: Self.moment(1)).hasPrefix("✗ Render: "))
  }

  @Test mutating func `thousands are counted with commas`() {
    var many = BatchJobs(
      "Render", .range(JobRange(first: JobNumber(1), count: 1_000)), at: Self.moment(0))
    _ = many.handle(.tally(JobTally(live: 520)), at: Self.moment(1))
    #expect(line(many, at: 1).contains("48 %  480/1,000    0 running  0 failed"))
  }

  /// As it is told of a job that runs.
  private func progress(_ number: UInt64, _ completed: UInt64) -> BatchJobs.Event {
    var job = JobStatus(
      number: JobNumber(number), identifier: "a.b", title: "Render x",
      submitted: WallTime(milliseconds: 0), log: "/log", stateDirectory: "/state")
    job.state = .running
    job.terms.group = "render"
    job.progress = JobProgress(completed: completed, total: 100)
    return .feed(.progress(job))
  }

  @Test mutating func `how far those are that run counts, too`() {
    _ = jobs.handle(.tally(JobTally(live: 4)), at: Self.moment(0))
    for number in [3, 4] as [UInt64] {
      _ = jobs.handle(event(.launched, number), at: Self.moment(0))
    }
    _ = jobs.handle(progress(3, 50), at: Self.moment(1))
    _ = jobs.handle(progress(4, 30), at: Self.moment(1))
    _ = jobs.handle(progress(6, 30), at: Self.moment(1))
    #expect(line(jobs, at: 1).contains("20 %  0/4"))
    _ = jobs.handle(event(.ended, 3, .succeeded), at: Self.moment(2))
    #expect(line(jobs, at: 2).contains("32 %  1/4"))
  }

  @Test func `a group is as large as what lives of it and has ended lately`() throws {
    let group = JobSelection.group(try #require(GroupName("render")))
    var jobs = BatchJobs("group render", group, steers: false, at: Self.moment(0))
    #expect(jobs.handle(.connected, at: Self.moment(0)) == [.ask(.followMany(group))])
    // What comes before it is known how many there are is in that count.
    #expect(jobs.handle(event(.ended, 2, .succeeded), at: Self.moment(0)) == [])
    var tally = JobTally(live: 2)
    (tally.succeeded, tally.running) = (2, [JobNumber(3)])
    #expect(jobs.handle(.tally(tally), at: Self.moment(0)) == [])
    #expect(line(jobs, at: 0).contains("50 %  2/4  1 running"))
    #expect(jobs.handle(event(.ended, 9, .failed), at: Self.moment(1)) == [], "of no group")
    #expect(jobs.handle(event(.submitted, 5, of: "render"), at: Self.moment(1)) == [])
    #expect(line(jobs, at: 1).contains("40 %  2/5"))
    #expect(
      jobs.handle(.interrupt, at: Self.moment(1)) == [
        .say("group render keeps running; watch it with jobrun attach group:render"),
        .finish(ExitCode.detached),
      ])
  }

  @Test mutating func `the exit code is that of the first that failed`() {
    for (number, outcome, code) in [
      (3, Outcome.succeeded, Int32(0)), (6, .failed, 9), (4, .failed, 7),
    ] as [(UInt64, Outcome, Int32)] {
      #expect(jobs.handle(event(.ended, number, outcome, code: code), at: Self.moment(1)) == [])
    }
    #expect(jobs.handle(event(.ended, 5, .succeeded), at: Self.moment(2)) == [Self.question])
    let counted = tally(succeeded: 2, failed: 2, first: 4, code: 7)
    #expect(jobs.handle(counted, at: Self.moment(2)) == [.finish(7)])
    #expect(
      jobs.conclusion(at: Self.moment(2))
        == "✗ Render: 2 failed (first: job 4), 2 succeeded, in 2.0 s")
  }

  @Test mutating func `all that succeed end with nothing to complain of`() {
    for number in 3...5 as ClosedRange<UInt64> {
      _ = jobs.handle(event(.ended, number, .succeeded), at: Self.moment(1))
    }
    #expect(jobs.handle(event(.ended, 6, .succeeded), at: Self.moment(1)) == [Self.question])
    #expect(jobs.handle(tally(succeeded: 4), at: Self.moment(1)) == [.finish(0)])
    #expect(jobs.conclusion(at: Self.moment(1)) == "✓ Render: 4 succeeded in 1.0 s")
  }

  @Test mutating func `Ctrl-C cancels what is left, and kills it the second time`() {
    _ = jobs.handle(event(.ended, 3, .succeeded), at: Self.moment(1))
    #expect(
      jobs.handle(.interrupt, at: Self.moment(1)) == [
        .ask(.cancel(.some(.range(Self.range)), now: false)),
        .say("cancelling the rest of Render, 3 jobs; Ctrl-C again kills it now"),
      ])
    #expect(
      jobs.handle(.interrupt, at: Self.moment(1)) == [
        .ask(.cancel(.some(.range(Self.range)), now: true)),
        .say("killing the rest of Render now"),
      ])
    for number in 4...5 as ClosedRange<UInt64> {
      _ = jobs.handle(event(.ended, number, .cancelled), at: Self.moment(1))
    }
    #expect(jobs.handle(event(.ended, 6, .cancelled), at: Self.moment(1)) == [Self.question])
    #expect(
      jobs.handle(tally(succeeded: 1, cancelled: 3), at: Self.moment(1)) == [.finish(130)])
    #expect(
      jobs.conclusion(at: Self.moment(1)) == "■ Render: 1 succeeded, 3 cancelled, in 1.0 s")
  }

  @Test mutating func `d leaves them, and says which they are`() {
    #expect(
      jobs.handle(.key(UInt8(ascii: "d")), at: Self.moment(1)) == [
        .say("Render keeps running; watch it with jobrun attach 3-6"), .finish(122),
      ])
  }

  @Test func `with halt it is said once why all ends`() {
    var jobs = BatchJobs("Render", .range(Self.range), halts: .failures(1), at: Self.moment(0))
    #expect(
      jobs.handle(event(.ended, 3, .failed, code: 2), at: Self.moment(1)) == [
        .say("job 3 failed; the rest of Render is cancelled")
      ])
    #expect(jobs.handle(event(.ended, 4, .failed, code: 2), at: Self.moment(1)) == [])
    #expect(jobs.handle(event(.ended, 5, .cancelled), at: Self.moment(1)) == [])
    #expect(jobs.handle(event(.ended, 6, .cancelled), at: Self.moment(1)) == [Self.question])
    let counted = tally(failed: 2, cancelled: 2, first: 3, code: 2)
    #expect(jobs.handle(counted, at: Self.moment(1)) == [.finish(2)])
  }

  @Test func `with halt a failure that was not seen is said, too`() {
    var jobs = BatchJobs("Render", .range(Self.range), halts: .failures(1), at: Self.moment(0))
    _ = jobs.handle(.connected, at: Self.moment(0))
    let counted = tally(live: 2, succeeded: 1, failed: 1, first: 4, code: 3)
    #expect(
      jobs.handle(counted, at: Self.moment(1)) == [
        .say("job 4 failed; the rest of Render is cancelled")
      ])
    #expect(jobs.handle(counted, at: Self.moment(1)) == [])
  }

  @Test mutating func `one that is begun anew is waited for, and counted once`() {
    _ = jobs.handle(event(.ended, 3, .failed, code: 7), at: Self.moment(1))
    _ = jobs.handle(event(.queued, 3), at: Self.moment(2))
    for number in 3...5 as ClosedRange<UInt64> {
      let effects = jobs.handle(event(.ended, number, .succeeded), at: Self.moment(3))
      #expect(effects == (number == 5 ? [Self.question] : []))
    }
    #expect(jobs.handle(tally(live: 1, succeeded: 3), at: Self.moment(3)) == [])
    #expect(jobs.handle(event(.ended, 6, .succeeded), at: Self.moment(4)) == [Self.question])
    #expect(jobs.handle(tally(succeeded: 4), at: Self.moment(4)) == [.finish(0)])
  }

  @Test mutating func `what is refused is asked again after a second, and told once`() {
    let refused = BatchJobs.Event.refused(
      WireError(.internal, "it cannot be read"), of: .followMany(.range(Self.range)))
    #expect(jobs.handle(.connected, at: Self.moment(1)) == [Self.question])
    #expect(jobs.handle(refused, at: Self.moment(1)) == [.say("it cannot be read")])
    #expect(jobs.model(at: Self.moment(1)).notice == "it cannot be read")
    #expect(jobs.handle(.clock, at: Self.moment(1)) == [])
    #expect(jobs.handle(.clock, at: Self.moment(2)) == [Self.question])
    #expect(jobs.handle(.clock, at: Self.moment(4)) == [])
    #expect(jobs.handle(refused, at: Self.moment(4)) == [])
    #expect(jobs.handle(.clock, at: Self.moment(5)) == [Self.question])
    #expect(jobs.handle(tally(live: 4), at: Self.moment(5)) == [])
    #expect(jobs.model(at: Self.moment(5)).notice == nil)
    #expect(jobs.handle(.clock, at: Self.moment(9)) == [])
  }

  @Test mutating func `another runner is asked how they are`() {
    _ = jobs.handle(.lost, at: Self.moment(1))
    #expect(jobs.model(at: Self.moment(1)).notice == "runner lost; reconnecting…")
    #expect(
      jobs.handle(.connected, at: Self.moment(1)) == [.ask(.followMany(.range(Self.range)))])
    let counted = tally(succeeded: 3, failed: 1, first: 4, code: 9)
    #expect(jobs.handle(counted, at: Self.moment(1)) == [.finish(9)])
  }

  @Test func `of a group that had ended before, nobody says that it took no time`() throws {
    var jobs = BatchJobs("group q", .group(try GroupName(checking: "q")), at: Self.moment(0))
    _ = jobs.handle(tally(succeeded: 5), at: Self.moment(0))
    #expect(jobs.conclusion(at: Self.moment(0)) == "✓ group q: 5 succeeded")
  }

  @Test mutating func `what was cancelled and is lost with the store was cancelled`() {
    _ = jobs.handle(.interrupt, at: Self.moment(1))
    #expect(jobs.handle(tally(), at: Self.moment(1)) == [.finish(130)])
  }

  @Test mutating func `what is lost with the store is no success`() {
    _ = jobs.handle(event(.ended, 3, .succeeded), at: Self.moment(1))
    #expect(jobs.handle(.tally(JobTally(live: 0)), at: Self.moment(1)) == [.finish(1)])
    #expect(
      jobs.conclusion(at: Self.moment(1))
        == "■ Render: 1 succeeded, 3 unknown, in 1.0 s")
  }

  @Test mutating func `a failure that was seen stays one when it is no longer kept`() {
    _ = jobs.handle(event(.ended, 4, .failed, code: 7), at: Self.moment(1))
    #expect(jobs.handle(tally(succeeded: 3), at: Self.moment(1)) == [.finish(7)])
  }

  @Test mutating func `a gap is counted anew`() {
    #expect(
      jobs.handle(.feed(.gap(from: 3, to: 9)), at: Self.moment(1))
        == [.ask(.followMany(.range(Self.range)))])
  }
}
