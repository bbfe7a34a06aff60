/// One thing the runner must do; effects are carried out in order.
///
/// Announcements are made durable before later effects are carried out and before any client sees them.
package enum Effect: Hashable, Sendable {
  /// The job's state changed: store it with its event, then tell the feed.
  case announce(JobNumber, Announcement)
  /// Start this attempt with these GPUs (by UUID).
  case launch(JobNumber, attempt: Int, gpus: [String])
  /// Sample the job's page and log, and answer with `Event.sampled`.
  case sample(JobNumber)
  /// Tell the worker to stop: the page's control word, and SIGTERM for a plain command.
  case stop(JobNumber, StopReason, deadline: Instant)
  /// Stop all processes of the tree until further notice; `mark`: see `PastAttempts.pauseMark`.
  case pause(JobNumber, Pause, mark: UInt64)
  /// Let its processes continue.
  case resume(JobNumber, mark: UInt64)
  /// Kill the whole process tree. For a hosted job: check whether it is over, and answer with `Event.finished`,
  /// as `outlives` if it is not.
  case kill(JobNumber)
  /// The host of a job that ended earlier has let go: release everything held for the job.
  case released(JobNumber)
  /// A waiting job depends on a condition that may have changed: probe, and answer with
  /// `Event.machine`.
  case probe
  /// A waiting job depends on another machine: ask it about itself, and answer with `Event.surveyed`.
  case survey(String)
  /// The answer to a request.
  case reply(RequestTag, Reply)
}

/// One line of the feed: an event and the resulting state.
package struct Announcement: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Accepted into the queue (also when it starts in the same instant).
    case submitted
    /// The reason for waiting changed, or the job came back to the queue.
    case queued
    case launched
    /// The worker runs.
    case started
    /// The prompt opened.
    case stalled
    case prompt
    /// The prompt was answered or withdrawn.
    case answered
    case advanced
    /// The job has been silent for two thirds of its limit.
    case warned
    /// Its processes are stopped; or they should continue, and the job waits for a slot.
    case paused
    /// Its processes continue.
    case resumed
    /// It is not started until it is released.
    case held
    case released
    /// It was moved in the queue, or another job was moved past it.
    case moved
    /// A person edited the job.
    case edited
    case stopping
    case ended
  }

  package var kind: Kind
  package var state: JobState

  package init(_ kind: Kind, _ state: JobState) {
    self.kind = kind
    self.state = state
  }
}

/// How a request was answered.
package enum Reply: Hashable, Sendable {
  case accepted(JobNumber)
  /// The same key was accepted before.
  case duplicate(JobNumber)
  /// All jobs of the batch, with this number and the following ones.
  case acceptedMany(first: JobNumber, count: Int)
  /// The same key was accepted before, for these jobs.
  case duplicateMany(first: JobNumber, count: Int)
  /// `--if-exists keep`: this one is live already.
  case kept(JobNumber)
  case refused(Refusal)
  /// Cancel, answer, simulation or another way to steer it took effect.
  case done(JobNumber)
  /// A cancel of a job that is stopping already.
  case alreadyStopping(JobNumber)
  /// These jobs were live, ascending: waiting ones have ended, running ones are stopping.
  case cancelledAll([JobNumber])
  /// These jobs were paused, or will resume as soon as they can; ascending.
  case changedAll([JobNumber])
  /// The job cannot be paused in its state; the sentence gives the reason.
  case cannotPause(JobNumber, String)
  case notPaused(JobNumber)
  /// No live job has this number.
  case notLive(JobNumber)
  /// The job has no question to answer.
  case noPrompt(JobNumber)
}

/// A submission or another request that leaves no trace.
package struct Refusal: Hashable, Sendable {
  package enum Code: Hashable, Sendable {
    /// Strategy `fail`, and it cannot start now (75).
    case immediateRunIneligible
    /// This machine can never provide the resources that the job needs (69).
    case unavailable
    /// A job with this identifier runs (73).
    case alreadyRunning
    /// The queue is full (75).
    case tooManyPendingTaskRequests
    /// The job is in no state for this (66).
    case notWaiting
    /// It makes no sense (64).
    case usage
  }

  package var code: Code
  /// The reason and the remedy, in one sentence.
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
