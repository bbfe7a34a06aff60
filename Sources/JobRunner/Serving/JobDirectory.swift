import JobCore
import JobRuntime
import JobWire

/// What connections are told of jobs.
protocol JobDirectory: AnyObject {
  /// The newest event's sequence number.
  var sequence: UInt64 { get }
  /// The newest look at a page that showed something new.
  var lastLook: UInt64 { get }
  /// The numbers of the live jobs, ascending.
  var liveNumbers: OrderedNumbers { get }
  /// Whether nothing may start.
  var isHeld: Bool { get }
  /// Whether anything runs.
  var isAnyRunning: Bool { get }
  /// Those that have a process tree or a host at work, ascending.
  var runningNumbers: [JobNumber] { get }
  /// Whether this job's progress is seen from here rather than told on its page.
  func isObserved(_ number: JobNumber) -> Bool
  /// The looks that last showed something new of a live job.
  func lastLook(at number: JobNumber) -> ChangeMarker?
  /// The group of a live job; nil for one without, or that is not live.
  func group(of number: JobNumber) -> GroupName?
  /// Looks at a job that runs.
  func sample(_ number: JobNumber)
  /// The job as it was last seen; nil for one that is not live.
  func object(of number: JobNumber) -> JobStatus?
  /// How far a live job is, as it was last seen.
  func progress(of number: JobNumber) -> JobProgress?
  /// The job as it is now, after a look at its page; nil for one that is not live.
  /// `isBrief`: no more than a table shows.
  func freshObject(of number: JobNumber, isBrief: Bool) -> JobStatus?
  /// An ended job, from the store; nil for one that never was or cannot be read.
  func stored(_ number: JobNumber) -> JobStatus?
}

extension JobDirectory {
  func freshObject(of number: JobNumber) -> JobStatus? { freshObject(of: number, isBrief: false) }
}
