/// The state that a job's attempts leave to the next ones; a later runner must restore it.
package struct PastAttempts: Hashable, Sendable {
  /// Attempts that failed; deferred and interrupted ones do not count.
  package var failures = 0
  /// Awake time that the ended attempts ran, for the limit on all of them together.
  package var spent = Interval.zero
  /// When the running attempt began, on the awake clock of this boot; nil while none runs.
  package var runningSince: Instant?
  /// How long the running attempt may report without an advance, if "continue" raised the submitted limit.
  package var stallTimeout: Interval?

  /// Awake time that the job was paused, without the current pause.
  package var paused = Interval.zero
  /// Counts the pauses and resumes of the running attempt: odd = paused, even = running.
  ///
  /// Of two copies, the larger is the later.
  package var pauseMark: UInt64 = 0
  /// The part of the attempt's last quiet phase that passed while it was paused.
  package var quietExtension = Interval.zero
  /// Whether its start or its end was simulated.
  package var isSimulated = false
  /// Why it is asked whether the running attempt should continue; nil = it does not advance, or there is no
  /// question.
  package var question: Question?
  /// The expected time of the running attempt, for the question whether it has become slow.
  package var expected: Interval?
  /// The worker of the running attempt has succeeded, and its files are still to be fetched.
  package var hasWorked = false
  /// The machine of its pool that runs it, or ran the attempt before.
  package var machine: String?

  package init() {}
}
