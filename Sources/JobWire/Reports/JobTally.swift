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

extension JobTally {
  init(_ fields: JSONFields) throws(WireError) {
    self.init(live: try fields.number("live"))
    running = Set(try fields.jobNumbers("running"))
    succeeded = try fields.number("succeeded")
    failed = try fields.number("failed")
    cancelled = try fields.number("cancelled")
    firstFailed = try fields.optionalNumber("firstFailed", as: UInt64.self).map(JobNumber.init)
    exitCode = try fields.optionalNumber("exitCode")
  }
}

extension JSONWriter {
  package mutating func value(_ tally: JobTally) {
    beginObject()
    field("live", tally.live)
    field("running", tally.running.sorted())
    field("succeeded", tally.succeeded)
    field("failed", tally.failed)
    field("cancelled", tally.cancelled)
    field("firstFailed", tally.firstFailed?.value)
    field("exitCode", tally.exitCode)
    endObject()
  }
}
