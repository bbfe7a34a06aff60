/// How one attempt of a job ended, once its whole process tree is gone; of a hosted one, once its
/// work is reported as ended.
package struct RunEnd: Hashable, Sendable {
  package enum Status: Hashable, Sendable {
    /// The worker called `exit` with this code, 0…255.
    case exited(Int32)
    /// The worker was killed by this signal.
    case signalled(Int32)
    /// There never was a worker: one sentence says why.
    case cannotStart(String)
    /// There never was a worker, and there never will be: the attempt was forbidden after its runner
    /// died and before its supervisor began.
    case revoked
    /// The supervisor died before it could record the status.
    case supervisorLost
    /// The machine was restarted in between.
    case rebooted
    /// It ran, or was to run, elsewhere, and what ended it was not the worker.
    indirect case engine(EngineEnd)
    /// A hosted task said that it is complete; its process goes on.
    case completed
    /// The process that hosted the task is gone.
    case hostEnded
    /// A hosted task goes on after its grace: nothing ends it but itself or its process.
    case outlives
  }

  /// What an engine is certain of; the sentence says it to a person.
  package enum EngineEnd: Hashable, Sendable {
    /// Somebody else has ended it there.
    case cancelled(String)
    /// The engine needed its place for others.
    case preempted(String)
    /// Nobody will ever write how it ended: its supervisor or its machine is gone.
    case lost(String)
    case outOfMemory(String)
    /// The engine's own limit came before ours.
    case overLimit(String)
    /// The engine will never run it.
    case refused(String)
    /// The engine has not begun it in time, and never will.
    case late(String)
    /// It was killed and cannot be reached: nobody knows whether it has ended; one sentence says why.
    case unseen(String)
  }

  /// What the worker declared through its page.
  package enum Declared: Hashable, Sendable {
    case nothing
    case success
    case failure
    /// "Not now": back to the queue after this delay.
    case deferred(Interval)
  }

  package var status: Status
  package var declared: Declared
  /// The last look at the page, taken after the worker's end.
  package var sample: PageSample
  /// When the worker ended, where its end was told much later; a stop that was
  /// decided later had no part in it.
  package var endedAt: Instant?
  /// What the attempt has used, as far as that is known.
  package var processorTime = Interval.zero

  package init(status: Status, declared: Declared = .nothing, sample: PageSample = PageSample()) {
    self.status = status
    self.declared = declared
    self.sample = sample
  }
}
