/// Everything that can happen to the core, in the order in which the runner saw it.
package enum Event: Hashable, Sendable {
  /// A client submits a job; answered `accepted`, `duplicate`, `kept` or `refused`.
  case submit(RequestTag, Submission)
  /// A client submits many jobs in one; answered `acceptedMany`, `duplicateMany` or `refused`.
  indirect case batch(RequestTag, Batch)
  /// A client stops a job; `now` skips the rest of the grace (the second Ctrl-C).
  indirect case cancel(RequestTag, JobNumber, now: Bool, because: StopReason = .requested)
  /// A client stops all live jobs, or some; `now` as for one. Answered `cancelledAll`.
  indirect case cancelAll(
    RequestTag, now: Bool, in: JobSelection? = nil, because: StopReason = .requested)
  /// A client withdraws a job that has not begun; an active one continues, answered `notLive`.
  case withdraw(RequestTag, JobNumber)
  /// A client pauses the processes of a job; `keepsSlot`: the job keeps its slot meanwhile; `length`: it resumes
  /// after that time, nil = when a client resumes it. Answered `done`, `cannotPause` or `notLive`; for a job that
  /// is being launched, once it has started. For a hosted one: its program has paused it.
  case pause(RequestTag, JobNumber, keepsSlot: Bool, length: Interval? = nil)
  /// The same for all running jobs. Answered `changedAll`.
  case pauseAll(RequestTag, keepsSlot: Bool, length: Interval? = nil, in: JobSelection? = nil)
  /// A client resumes a paused job; answered `done`, `notPaused` or `notLive`.
  case resume(RequestTag, JobNumber)
  /// The same for all paused jobs. Answered `changedAll`.
  case resumeAll(RequestTag, in: JobSelection? = nil)
  /// Pauses all starts (running jobs continue), or allows them again.
  case pauseRunner(Bool)
  /// The same for a group.
  case pauseGroup(GroupName, Bool)
  /// A person starts a job that waits, beyond the slots; answered `done` or `refused`.
  case start(RequestTag, JobNumber)
  /// A client answers the open prompt.
  case answer(RequestTag, JobNumber, continues: Bool)
  /// Running jobs must stop (`runnerStop`), and no job starts any more. Waiting jobs end at once with
  /// `discardsQueue`, except scheduled ones; otherwise they wait for the next runner.
  case shutdown(discardsQueue: Bool = false)
  /// A probe finished.
  case machine(MachineFacts)
  /// Another machine was asked about itself, or can no longer be reached.
  indirect case surveyed(String, Survey)
  /// The worker of this attempt runs.
  case started(JobNumber, attempt: Int)
  /// An engine has taken the attempt, and it has not begun there, for this reason.
  indirect case pending(JobNumber, attempt: Int, PendingReason)
  /// The answer to `Effect.sample`; `ages`: as measured by the machine that runs the job, if it is another one.
  case sampled(JobNumber, PageSample, ages: SampleAges? = nil)
  /// How long earlier runs of a running job took, scaled to its amount of work.
  case expected(JobNumber, Interval)
  /// The worker of this attempt has succeeded on its machine, and its files are still to be fetched. No limit,
  /// silence or stall ends the job from then on.
  case worked(JobNumber, attempt: Int)
  /// The attempt's tree is gone; of a hosted one: see `RunEnd.Status`.
  case finished(JobNumber, attempt: Int, RunEnd)
  /// The process that should run a hosted job is gone or no longer answers; the sentence says which.
  case hostLost(JobNumber, String)
  /// `nextDeadline` has come.
  case deadline
  /// The civil clock was read: sent before any event with a time of day, at `nextTimeOfDay`, and when the clock
  /// was set.
  case timeOfDay(WallTime)
  /// A job of an earlier runner, read from the store: queued (with its next attempt), or alive and adopted
  /// (with its current attempt).
  indirect case restore(
    JobNumber, Submission, attempt: Int, RestoredPhase, past: PastAttempts = PastAttempts())
  /// A person wants another attempt of an ended job; answered `done` or `refused`.
  ///
  /// With `isForced` the job ignores its prerequisites.
  indirect case redo(
    RequestTag, JobNumber, Submission, attempt: Int, isForced: Bool = false)
  /// A person holds or releases a waiting job; answered `done` or `refused`.
  case hold(RequestTag, JobNumber)
  case release(RequestTag, JobNumber)
  /// A person moves a waiting job right behind another one of its priority, or to their front; answered `done`
  /// or `refused`.
  case move(RequestTag, JobNumber, behind: JobNumber?)
  /// A person edits a waiting job; answered `done` or `refused`.
  indirect case edit(RequestTag, JobNumber, JobEdit)
  /// Another number of slots; running jobs continue, even beyond it.
  case slots(Int)
  /// The slots of these groups; all others have the default number.
  case groups([GroupName: Int])
  /// The resources that the machine's owner counts, by name, with their amounts.
  case counted([String: Int])
  /// How many jobs of a submission have ended, under an earlier runner, in the way that halts it.
  case halted(String, count: Int)
  /// Other engines than before, or other numbers of attempts that each may have; by name. `pools`: the machines
  /// on which each of them, or each pool, may run a job, where we choose and count what jobs hold there.
  case engines([String: Int], pools: [String: [String]] = [:])
  /// The user's settings by bundle; running jobs continue.
  case settings([JobIdentifier: BundleSettings])
  /// Power is short, with the reason, or no longer is.
  case saving(String?)
  /// The machine is overloaded, with the reason; and a sentence about the user who is at it.
  case busy(pressure: String?, presence: String?)
  /// Each bundle's share of background starts; nil = unlimited.
  case budget(Budget?)
  /// The background starts of earlier runners by bundle, ordered by their ends.
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
  /// Its supervisor was started, but its worker is not confirmed yet.
  case launching(gpus: [String])
  /// Its supervisor lives; the job holds its slot and these GPUs (by UUID). `stalledSince` keeps an open
  /// prompt open.
  case running(gpus: [String], sample: PageSample, stalledSince: Instant?)
  /// Its processes are stopped.
  case paused(gpus: [String], sample: PageSample, Pause)
  case stopping(gpus: [String], StopReason, deadline: Instant)
  /// The job was reported as ended, but its host still holds its resources.
  case lingering(gpus: [String])
}

/// The events that `jobrun simulate` causes.
package enum Simulation: String, Hashable, Sendable, CaseIterable {
  case expire, stall, launch
}
