import JobCore
import JobRuntime
import JobWire
import Testing

/// A runtime continues the jobs from the journal of an earlier one.
@Suite struct RestoringTests {
  @Test func `restored jobs hold their slots before anything starts, in whatever order they come`()
    throws
  {
    var stage = try Stage()
    try stage.submit("a")
    try stage.submit("b")
    _ = stage.settle()
    let rows = stage.journal.rows.values.sorted { $0.number > $1.number }
    var next = try Stage(sequence: stage.journal.sequence)
    for row in rows { next.runtime.restore(row, isSameBoot: true, at: next.moment) }
    next.start(1)
    next.runtime.putRestoresFirst(at: next.moment.wall)
    #expect(next.settle() == ["#4 1 started"])
  }

  @Test func `a restored job is looked at though nothing else happens`() throws {
    var stage = try Stage()
    let row = try job { $0.after = [Prerequisite(JobNumber(1), outcome: .succeeded)] }
    stage.runtime.restore(row, isSameBoot: true, at: stage.moment)
    stage.runtime.putRestoresFirst(at: stage.moment.wall)
    #expect(stage.settle().contains("launch 2.1"))
  }

  @Test func `within a boot, a job goes on exactly where it was`() throws {
    let later = Instant(nanoseconds: 9_000_000_000)
    let reason = StopReason(.user, "somebody cancelled it")
    let states: [(JobState, RestoredPhase)] = [
      (.launching, .launching(gpus: ["GPU-0"])),
      (.running, .running(gpus: ["GPU-0"], sample: PageSample(), stalledSince: nil)),
      (
        .stalled(since: later),
        .running(gpus: ["GPU-0"], sample: PageSample(), stalledSince: later)
      ),
      (
        .stopping(reason, deadline: later),
        .stopping(gpus: ["GPU-0"], reason, deadline: later)
      ),
    ]
    for (state, phase) in states {
      var row = try job()
      (row.state, row.attempt, row.gpus) = (state, 3, ["GPU-0"])
      row.past.runningSince = later
      let (restored, attempt, past) = try restored(row, isSameBoot: true)
      #expect(restored == phase && attempt == 3 && past.runningSince == later, "\(state)")
    }
  }

  @Test func `after a reboot nothing is left of what a job held, and its instants mean nothing`()
    throws
  {
    let earlier = Instant(nanoseconds: 900_000_000_000)
    let reason = StopReason(.user, "somebody cancelled it")
    let now = try Stage().moment.awake
    let running = RestoredPhase.running(gpus: [], sample: PageSample(), stalledSince: nil)
    let states: [(JobState, RestoredPhase)] = [
      (.launching, .launching(gpus: [])), (.running, running),
      (.stalled(since: earlier), running),
      (.stopping(reason, deadline: earlier), .stopping(gpus: [], reason, deadline: now)),
    ]
    for (state, phase) in states {
      var row = try job()
      (row.state, row.attempt, row.gpus) = (state, 3, ["GPU-0"])
      row.past.runningSince = earlier
      let (restored, attempt, past) = try restored(row, isSameBoot: false)
      #expect(restored == phase && attempt == 3 && past.runningSince == nil, "\(state)")
    }
  }

  @Test func `a job that waits makes its next attempt, after what is left of its delay`() throws {
    var row = try job()
    (row.attempt, row.state) = (2, .queued(PendingReason(.retry, "it failed")))
    let moment = try Stage().moment
    row.delayedUntil = Instant(nanoseconds: 900_000_000_000)
    row.delayedUntilWall = moment.wall + .seconds(5)
    for (isSameBoot, until) in [
      (true, Instant(nanoseconds: 900_000_000_000)), (false, moment.awake + .seconds(5)),
    ] {
      let (phase, attempt, _) = try restored(row, isSameBoot: isSameBoot)
      #expect(phase == .delayed(until: until, PendingReason(.retry, "it failed")))
      #expect(attempt == 3)
    }
    (row.delayedUntil, row.delayedUntilWall) = (nil, nil)
    #expect(try restored(row, isSameBoot: false).0 == .queued)
  }

  @Test func `what a job holds that has ended stays held, and the job is not live`() throws {
    var stage = try Stage()
    var row = try job { $0.isHosted = true }
    (row.state, row.lingers, row.gpus) = (.ended(.cancelled, nil), true, ["GPU-0"])
    let (phase, _, _) = try restored(row, isSameBoot: true)
    #expect(phase == .lingering(gpus: ["GPU-0"]))
    stage.runtime.restore(row, isSameBoot: true, at: stage.moment)
    stage.runtime.putRestoresFirst(at: stage.moment.wall)
    _ = stage.settle()
    #expect(stage.runtime.jobs.isEmpty)
    #expect(stage.runtime.scheduler.lingeringNumbers == [JobNumber(2)])
  }

  private func job(_ change: (inout Submission) -> Void = { _ in }) throws -> LiveJob {
    var submission = Submission(
      key: "b", identifier: try #require(JobIdentifier("test.b")), speaksPage: false)
    change(&submission)
    return LiveJob(
      number: JobNumber(2), submission: submission, definition: nil, title: "b", subtitle: "",
      submittedAt: WallTime(milliseconds: 0))
  }

  /// The scheduler's event for a row.
  private func restored(
    _ row: LiveJob, isSameBoot: Bool
  ) throws -> (RestoredPhase, Int, PastAttempts) {
    let stage = try Stage()
    stage.runtime.restore(row, isSameBoot: isSameBoot, at: stage.moment)
    guard case .restore(_, _, let attempt, let phase, let past)? = stage.runtime.inbox.first else {
      throw WireError(.internal, "nothing is restored")
    }
    return (phase, attempt, past)
  }
}
