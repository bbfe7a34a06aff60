import JobCore
import JobWire

@testable import jobrun

extension WatchEvent {
  /// The requested status of a job.
  static func answered(_ job: JobStatus) -> WatchEvent {
    .answered(.job(job, message: nil), to: .show(.number(job.number)))
  }

  /// How several jobs are, which was asked for.
  static func tally(_ tally: JobTally) -> WatchEvent {
    .answered(.tally(tally), to: .followMany(.range(JobRange(first: JobNumber(1), count: 1))))
  }
}
