package import JobCore
package import JobRuntime
package import JobWire

/// Where attempts run: the seam between what a turn decides and the code that carries it out.
///
/// `LocalExecutor` runs them as process trees on this machine, `HostedExecutor` in processes that were
/// there before them. Another one, for other machines, joins here.
///
/// What comes of an attempt goes into the runtime's inbox as `.started` and `.finished`, each at most once
/// for each attempt, and as a `.sampled` after each look.
package protocol Executor: AnyObject {
  /// The jobs of which it has an attempt at work, in no order.
  var numbers: any Collection<JobNumber> { get }

  /// Whether it has an attempt of this job at work.
  func runs(_ number: JobNumber) -> Bool

  /// Starts an attempt that is stored as launching.
  ///
  /// One that cannot be made is finished with the reason; one that only cannot be made yet is kept and
  /// tried again.
  func launch(_ number: JobNumber, attempt: Int, gpus: [String])

  /// Looks how far the attempt is.
  func sample(_ number: JobNumber)

  /// Takes down in the trace of the job what has happened to it.
  func mark(_ number: JobNumber, _ mark: ProgressTrace.Mark)

  /// Whether progress is seen from outside rather than told by the job.
  func isObserved(_ number: JobNumber) -> Bool

  /// Stops the processes of the attempt for a while, or lets them go on.
  func pause(_ number: JobNumber, _ pause: Pause, mark: UInt64)
  func resume(_ number: JobNumber, mark: UInt64)

  /// Tells the attempt to stop, and until when it has time for that.
  func stop(_ number: JobNumber, reason: StopReason, deadline: Instant)

  /// Ends the attempt now; asked again while it has not ended.
  func kill(_ number: JobNumber)

  /// Takes in an attempt that an earlier runner started, or finds out how it ended.
  ///
  /// `isSameBoot`: the machine has not been started anew since.
  func adopt(_ row: JobRecord, isSameBoot: Bool)

  /// Forgets a job that has ended, with what only its attempts needed.
  func retire(_ job: LiveJob)
}

// Only process trees are paused.
extension Executor {
  package func pause(_ number: JobNumber, _ pause: Pause, mark: UInt64) {}
  package func resume(_ number: JobNumber, mark: UInt64) {}
}
