package import JobCore

/// The stored form of one job, which survives the runner.
package struct JobRecord: Hashable, Sendable {
  /// Why and until when a queued job waits for a time.
  package struct Delay: Hashable, Sendable {
    package var reason: PendingReason
    /// On the awake clock of the boot in `Store.bootID`.
    package var until: Instant
    /// The same as wall time in milliseconds since 1970, for another boot.
    package var untilMilliseconds: Int64

    package init(reason: PendingReason, until: Instant, untilMilliseconds: Int64) {
      self.reason = reason
      self.until = until
      self.untilMilliseconds = untilMilliseconds
    }
  }

  /// How many attempts, failures or retries a job may have; more are garbage.
  package static let attempts = 0...1_000_000_000

  package var number: JobNumber
  package var submission: Submission
  /// Set for a hosted job.
  package var host: JobHost?
  package var definition: String?
  package var details = JobDetails()
  package var title: String
  package var subtitle = ""
  package var state = JobStatus.State.queued
  package var outcome: Outcome?
  package var stopReason: StopReason?
  package var message: String?
  package var warning: String?
  /// From 1; 0 while no attempt was made.
  package var attempt = 0
  package var exitCode: Int32?
  package var signal: Int32?
  package var pid: Int32?
  /// Its counts and where they came from; the pace is not kept.
  package var progress: JobProgress?
  /// Leased GPUs by UUID.
  package var gpus: [String] = []
  /// When the open prompt opened, on the awake clock of the boot in `Store.bootID`.
  package var stalledSince: Instant?
  /// Why it is asked, when that is not for a lack of progress; and as `PastAttempts.expected`.
  package var question: Question?
  package var expected: Interval?
  /// As `PastAttempts.hasWorked`.
  package var hasWorked = false
  /// Whether its start or its end was simulated.
  package var isSimulated = false
  /// When the tree is killed, on the same clock.
  package var stopDeadline: Instant?
  /// Wall times in milliseconds since 1970.
  package var submittedMilliseconds: Int64
  package var startedMilliseconds: Int64?
  package var endedMilliseconds: Int64?
  package var use = ResourceUse()
  /// Attempts that failed since the job was submitted or redone.
  package var failures = 0
  /// Awake time that its ended attempts ran.
  package var spent = Interval.zero
  /// When the attempt that runs began, on the awake clock of the boot in `Store.bootID`.
  package var runningSince: Instant?
  /// The attempt's timeout for advances where "continue" made it longer than was submitted.
  package var stallTimeout: Interval?
  /// Since when it is paused, on the same clock; `stalledSince` is its open question's.
  package var pausedSince: Instant?
  /// When it resumes without being asked to; nil = only a person resumes it.
  package var pausedUntil: Instant?
  /// Whether it keeps its slot while paused.
  package var keepsSlot = false
  /// Whether it should resume, and waits for a slot.
  package var isToResume = false
  /// Awake time of the finished pauses.
  package var paused = Interval.zero
  /// The same two as wall time: in milliseconds since 1970, and including the machine's sleep.
  package var pausedMilliseconds: Int64?
  package var pausedFor = Interval.zero
  /// As `PastAttempts.pauseMark`.
  package var pauseMark: UInt64 = 0
  /// Until when it has announced to be quiet, and as `PastAttempts.quietExtension`.
  package var quietUntil = Instant(nanoseconds: 0)
  package var quietExtension = Interval.zero
  /// Set while a queued job waits for a time.
  package var delay: Delay?
  /// It has ended, and the process that hosts it still has its slot and `gpus`.
  package var lingers = false
  /// `warning` is about the command that followed its end, not about its process.
  package var isCommandWarned = false
  /// The engine's name for the attempt, and the machine that runs it.
  package var engineJob: String?
  package var node: String?
  /// As `PastAttempts.machine`.
  package var machine: String?

  /// Whether its attempt runs on another machine.
  package var isElsewhere: Bool {
    machine.map { $0 != MachineName.here } ?? (submission.options.engine != nil)
  }

  package init(
    number: JobNumber, submission: Submission, title: String, submittedMilliseconds: Int64
  ) {
    self.number = number
    self.submission = submission
    self.title = title
    self.submittedMilliseconds = submittedMilliseconds
  }
}
