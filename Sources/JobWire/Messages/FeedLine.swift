package import JobCore

/// One line of the feed.
package enum FeedLine: Hashable, Sendable {
  /// The job's state changed. Sequence numbers ascend without gap over the life of a store.
  case event(sequence: UInt64, at: WallTime, Announcement.Kind, JobStatus)
  /// The state of a live job (or of a followed one) when the reader came.
  case snapshot(JobStatus)
  /// The newest progress; older ones may have been left out.
  case progress(JobStatus)
  /// The same for readers that have the rest of the job, which is unchanged.
  case brief(JobNumber, JobProgress?)
  /// Events from…to were pruned, or the reader was too slow; snapshots follow.
  case gap(from: UInt64, to: UInt64)
  /// A push that woke no program, and why; it is not stored.
  case dropped(at: WallTime, identifier: String, WireError)
}
