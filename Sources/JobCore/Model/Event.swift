/// Everything that can happen to the core, in the order in which the runner saw it.
package enum Event: Hashable, Sendable {
  /// A client submits a job; answered `accepted`, `duplicate`, `kept` or `refused`.
  case submit(RequestTag, Submission)
  /// A client submits many jobs in one; answered `acceptedMany`, `duplicateMany` or `refused`.
  indirect case batch(RequestTag, Batch)
  /// A client stops a job; `now` skips the rest of the grace (the second Ctrl-C).
  case cancel(RequestTag, JobNumber, now: Bool)
  /// A client stops all live jobs, or some; `now` as for one. Answered `cancelledAll`.
  case cancelAll(RequestTag, now: Bool, in: JobSelection? = nil)
  /// A client takes back a job that has not begun; one that is active goes on, answered `notLive`.
  case withdraw(RequestTag, JobNumber)
  /// A client stops the processes of a job for a while; `keepsSlot`: nobody gets its slot meanwhile.
  /// Answered `done`, `cannotPause` or `notLive`, for one that is being launched once it
  /// has started.
  case pause(RequestTag, JobNumber, keepsSlot: Bool)
  /// The same for all jobs that run. Answered `changedAll`.
  case pauseAll(RequestTag, keepsSlot: Bool, in: JobSelection? = nil)
  /// A client lets a paused job go on; answered `done`, `notPaused` or `notLive`.
  case resume(RequestTag, JobNumber)
  /// The same for all that are paused. Answered `changedAll`.
  case resumeAll(RequestTag, in: JobSelection? = nil)
  /// Nothing starts any more (what runs goes on), or everything may again.
  case pauseRunner(Bool)
  /// The same for a group.
  case pauseGroup(GroupName, Bool)
  /// A person starts a job that waits, beyond the slots; answered `done` or `refused`.
  case start(RequestTag, JobNumber)
  /// A client answers the open prompt.
  case answer(RequestTag, JobNumber, continues: Bool)
  /// What runs is to stop (`runnerStop`), and nothing starts any more; what waits ends at once if it is
  /// discarded, except for what is scheduled, and waits for the next runner otherwise.
  case shutdown(discardsQueue: Bool = false)
  /// The probes looked again.
  case machine(MachineFacts)
  /// The worker of this attempt runs.
  case started(JobNumber, attempt: Int)
  /// An engine has taken the attempt, and it has not begun there, for this reason.
  indirect case pending(JobNumber, attempt: Int, PendingReason)
  /// The answer to `Effect.sample`; `ages`: as the machine knows them where the job runs, if that is
  /// another one.
  case sampled(JobNumber, PageSample, ages: SampleAges? = nil)
  /// How long earlier runs of what runs took, scaled to as much as it has to do.
  case expected(JobNumber, Interval)
  /// The attempt's tree is gone; of a hosted one: see `RunEnd.Status`.
  case finished(JobNumber, attempt: Int, RunEnd)
  /// The process that is to run a hosted job is gone, or does not answer any more; one sentence says
  /// which.
  case hostLost(JobNumber, String)
  /// `nextDeadline` has come.
  case deadline
  /// The civil clock was read: told before anything with a time of day in it, when `nextTimeOfDay`
  /// has come, and when somebody set the clock.
  case timeOfDay(WallTime)
  /// A job of an earlier runner, read from the store: queued (with the attempt that it will make
  /// next), or alive and adopted (with the one that it makes).
  indirect case restore(
    JobNumber, Submission, attempt: Int, RestoredPhase, past: PastAttempts = PastAttempts())
  /// A person wants an ended job to make another attempt; answered `done` or `refused`.
  ///
  /// With `isForced` nothing that it comes after is waited for, or stands in its way.
  indirect case redo(
    RequestTag, JobNumber, Submission, attempt: Int, isForced: Bool = false)
  /// A person holds a job that waits, or lets it go; answered `done` or `refused`.
  case hold(RequestTag, JobNumber)
  case release(RequestTag, JobNumber)
  /// A person puts a job that waits right behind another one of its priority, or first of all of them;
  /// answered `done` or `refused`.
  case move(RequestTag, JobNumber, behind: JobNumber?)
  /// A person changes what is asked of a job that waits; answered `done` or `refused`.
  indirect case edit(RequestTag, JobNumber, JobEdit)
  /// Another number of slots; what runs goes on, also beyond it.
  case slots(Int)
  /// The slots of these groups; all others have the usual number.
  case groups([GroupName: Int])
  /// What the owner of the machine counts, by name, and how many there are.
  case counted([String: Int])
  /// How many jobs of a submission an earlier runner has seen end in the way that halts it.
  case halted(String, count: Int)
  /// Other engines than before, or other numbers of attempts that each may have; by name.
  case engines([String: Int])
  /// What a person lets which bundles do; what runs goes on.
  case settings([JobIdentifier: BundleSettings])
  /// Power is short, and why, or it is not any more.
  case saving(String?)
  /// The machine has not enough for what is there already, and why; and somebody sits at it, in a sentence.
  case busy(pressure: String?, presence: String?)
  /// What each bundle gets of the moments that the runner picks; nil = as many as it asks for.
  case budget(Budget?)
  /// What earlier runners have started for bundles at such moments, in the order of its ends.
  case uses([UsageRecord])
  /// Test and `jobrun simulate`: as if the job had been silent, or had stalled, for long enough, or
  /// as if its time had come.
  case simulate(RequestTag, JobNumber, Simulation)
}

/// In which phase an earlier runner left a job.
package enum RestoredPhase: Hashable, Sendable {
  case queued
  /// It waits for a time: deferred, or a retry.
  case delayed(until: Instant, PendingReason)
  /// Its supervisor was started, and nobody has said yet that its worker runs.
  case launching(gpus: [String])
  /// Its supervisor lives; it holds its slot and these GPUs (by UUID). `stalledSince` keeps an open
  /// prompt open.
  case running(gpus: [String], sample: PageSample, stalledSince: Instant?)
  /// Its processes are stopped.
  case paused(gpus: [String], sample: PageSample, Pause)
  case stopping(gpus: [String], StopReason, deadline: Instant)
  /// It is reported as ended, and its host still has what it held.
  case lingering(gpus: [String])
}

/// What `jobrun simulate` brings about.
package enum Simulation: String, Hashable, Sendable, CaseIterable {
  case expire, stall, launch
}
