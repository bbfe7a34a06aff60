/// The state of an attempt while its processes are stopped.
package struct Pause: Hashable, Sendable {
  /// When its clocks stopped.
  package var since: Instant
  /// Since when its question is open, which waits, too; nil = it was advancing.
  package var stalledSince: Instant?
  /// Whether it keeps its slot; otherwise another job may take it, and resuming needs a free one.
  package var keepsSlot: Bool
  /// When it resumes without being told to; nil = only a person resumes it, or it resumes already.
  package var until: Instant?
  /// Why it cannot resume yet although it should; nil before.
  package var waits: PendingReason?

  package init(
    since: Instant, stalledSince: Instant? = nil, keepsSlot: Bool = false, until: Instant? = nil
  ) {
    self.since = since
    self.stalledSince = stalledSince
    self.keepsSlot = keepsSlot
    self.until = until
  }
}
