/// What the attempts of a job leave to the next ones; a later runner must know it too.
package struct PastAttempts: Hashable, Sendable {
  /// Attempts that failed; deferred and interrupted ones are none.
  package var failures = 0
  /// Awake time that the ended attempts ran, for the limit on all of them together.
  package var spent = Interval.zero
  /// When the attempt that runs now began, on the awake clock of this boot; nil while none runs.
  package var runningSince: Instant?
  /// How long the attempt that runs now may report without an advance, where "continue" made it longer
  /// than was submitted.
  package var stallTimeout: Interval?

  /// Awake time that the job was paused, the pause that lasts not counted.
  package var paused = Interval.zero
  /// Counts what was decided about the attempt that runs: odd = it is paused, even = it goes on.
  ///
  /// Of two places that know one, the larger is the later.
  package var pauseMark: UInt64 = 0
  /// How much of the quiet phase that the attempt announced last passed while it was paused.
  package var quietExtension = Interval.zero
  /// Somebody has simulated its start or its end.
  package var isSimulated = false
  /// Why it is asked whether the attempt that runs is to go on; nil = it does not advance, or nobody is asked.
  package var question: Question?
  /// How long the attempt that runs was expected to take, for the question whether it has become slow.
  package var expected: Interval?

  package init() {}
}
