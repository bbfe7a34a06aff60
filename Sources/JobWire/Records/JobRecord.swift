package import JobCore

/// The stored form of one job, which survives the runner.
package struct JobRecord: Hashable, Sendable {
  /// Until when a queued job waits for a time.
  package struct Delay: Hashable, Sendable {
    /// On the awake clock of the boot in `Store.bootID`.
    package var until: Instant
    /// The same as wall time in milliseconds since 1970, for another boot.
    package var untilMilliseconds: Int64

    package init(until: Instant, untilMilliseconds: Int64) {
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
  /// Where it is, on the awake clock of the boot in `Store.bootID`.
  ///
  /// Of a job that waits, the reason is kept only while it waits for a time.
  package var state = JobState.accepted
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
  /// Why it is asked, when that is not for a lack of progress; and as `PastAttempts.expected`.
  package var question: Question?
  package var expected: Interval?
  /// As `PastAttempts.hasWorked`.
  package var hasWorked = false
  /// Whether its start or its end was simulated.
  package var isSimulated = false
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
  /// Awake time of the finished pauses.
  package var paused = Interval.zero
  /// Since when it is paused and the length of the finished pauses as wall time: in milliseconds since 1970, and
  /// including the machine's sleep.
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

  package var isQueued: Bool { if case .queued = state { true } else { false } }

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
