/// How one attempt of a job ended, once its whole process tree is gone; of a hosted one, once its
/// work is reported as ended.
package struct RunEnd: Hashable, Sendable {
  package enum Status: Hashable, Sendable {
    /// The worker called `exit` with this code, 0…255.
    case exited(Int32)
    /// The worker was killed by this signal.
    case signalled(Int32)
    /// The worker could not be started; the sentence gives the reason.
    case cannotStart(String)
    /// There never was a worker, and there never will be: the attempt was forbidden after its runner
    /// died and before its supervisor began.
    case revoked
    /// The supervisor died before it could record the status.
    case supervisorLost
    /// The machine was restarted in between.
    case rebooted
    /// It ran, or was going to run, elsewhere, and did not end because of its worker.
    indirect case engine(EngineEnd)
    /// A hosted task reported that it is complete; its process continues.
    case completed
    /// The process that hosted the task is gone.
    case hostEnded
    /// A hosted task still runs after its grace: only the task or its process can end it.
    case outlives
  }

  /// An end that the engine is certain of; the sentence explains it to a person.
  package enum EngineEnd: Hashable, Sendable {
    /// Cancelled there by someone else.
    case cancelled(String)
    /// The engine needed the resources for others.
    case preempted(String)
    /// The exit status is lost: the supervisor or its machine is gone.
    case lost(String)
    case outOfMemory(String)
    /// The engine's own limit came before ours.
    case overLimit(String)
    /// The engine will never run it.
    case refused(String)
    /// The engine has not begun it in time, and never will.
    case late(String)
    /// It was killed but is unreachable, so that its end is unconfirmed; the sentence gives the reason.
    case unseen(String)
  }

  /// The result that the worker declared through its page.
  package enum Declared: Hashable, Sendable {
    case nothing
    case success
    case failure
    /// "Not now": back to the queue after this delay.
    case deferred(Interval)
  }

  package var status: Status
  package var declared: Declared
  /// The last page sample, taken after the worker's end.
  package var sample: PageSample
  /// When the worker ended, if its end was reported much later; a stop decided after that is not its cause.
  package var endedAt: Instant?
  /// How long the worker ran before it ended by itself, by the clock of another machine.
  ///
  /// Nil = unknown, or it ended here. Instants of two machines cannot be compared, but spans can.
  package var ran: Interval?
  /// Resource usage of the attempt, as far as it is known.
  package var processorTime = Interval.zero

  package init(status: Status, declared: Declared = .nothing, sample: PageSample = PageSample()) {
    self.status = status
    self.declared = declared
    self.sample = sample
  }
}
