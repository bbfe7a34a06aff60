package import JobCore

/// How many jobs of one submission there are by state: the start for a client that watches them as one.
package struct JobTally: Hashable, Sendable {
  /// Those that have not ended.
  package var live: Int
  /// Of these, those that have begun.
  package var running: Set<JobNumber> = []
  /// Those that ended so, as far as they are still kept: of the rest nobody knows any more.
  package var succeeded = 0
  /// Those that ended otherwise than they should and were not cancelled.
  package var failed = 0
  package var cancelled = 0
  /// The first by number of those that failed.
  package var firstFailed: JobNumber?
  /// Of a command that waited for that one; nil = nobody says.
  package var exitCode: Int32?

  package init(live: Int) {
    self.live = live
  }
}

extension JobTally: Coded {
  package init() { self.init(live: 0) }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&live, "live")
    var numbers = running.sorted()
    try coder.codeAlways(&numbers, "running")
    if coder.isReading { running = Set(numbers) }
    try coder.code(&succeeded, "succeeded")
    try coder.code(&failed, "failed")
    try coder.code(&cancelled, "cancelled")
    try coder.codeAlways(&firstFailed, "firstFailed")
    try coder.codeAlways(&exitCode, "exitCode")
  }
}
