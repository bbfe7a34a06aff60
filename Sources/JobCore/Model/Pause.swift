/// The state of an attempt while its processes are stopped.
package struct Pause: Hashable, Sendable {
  /// When its clocks stopped.
  package var since: Instant
  /// Since when its question is open, which waits, too; nil = it was advancing.
  package var stalledSince: Instant?
  /// Whether it keeps its slot; otherwise another job may take it, and resuming needs a free one.
  package var keepsSlot: Bool
  /// Why it cannot resume yet although a person asked for that; nil before.
  package var waits: PendingReason?

  package init(since: Instant, stalledSince: Instant? = nil, keepsSlot: Bool = false) {
    self.since = since
    self.stalledSince = stalledSince
    self.keepsSlot = keepsSlot
  }
}
