import JobCore
import JobRuntime
import JobWire

/// The queries that connections make about jobs.
protocol JobDirectory: AnyObject {
  /// The newest event's sequence number.
  var sequence: UInt64 { get }
  /// The newest sample of a page that showed a change.
  var lastLook: UInt64 { get }
  /// The numbers of the live jobs, ascending.
  var liveNumbers: OrderedNumbers { get }
  /// Whether all starts are paused.
  var isHeld: Bool { get }
  /// Whether any job runs.
  var isAnyRunning: Bool { get }
  /// The jobs with a running process tree or host, ascending.
  var runningNumbers: [JobNumber] { get }
  /// Whether this job's progress is observed from outside, not reported on its page.
  func isObserved(_ number: JobNumber) -> Bool
  /// The samples that last showed changes of a live job.
  func lastLook(at number: JobNumber) -> ChangeMarker?
  /// The group of a live job; nil for one without, or that is not live.
  func group(of number: JobNumber) -> GroupName?
  /// Samples a running job.
  func sample(_ number: JobNumber)
  /// The last known state of a job; nil if it is not live.
  func object(of number: JobNumber) -> JobStatus?
  /// The last known progress of a live job.
  func progress(of number: JobNumber) -> JobProgress?
  /// The job's state after a new sample; nil if it is not live. `isBrief`: only the columns of a table.
  func freshObject(of number: JobNumber, isBrief: Bool) -> JobStatus?
  /// The jobs at the beginning of `others` that a folded list leaves out behind this one; nil = none.
  func waiting(like number: JobNumber, _ others: ArraySlice<JobNumber>) -> FoldedJobs?
  /// An ended job, from the store; nil if it never existed or cannot be read.
  func stored(_ number: JobNumber) -> JobStatus?
}

extension JobDirectory {
  func freshObject(of number: JobNumber) -> JobStatus? { freshObject(of: number, isBrief: false) }
}
