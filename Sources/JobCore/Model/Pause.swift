/// What is known of an attempt while its processes are stopped.
package struct Pause: Hashable, Sendable {
  /// Since then its clocks stand still.
  package var since: Instant
  /// Since when its question is open, which waits, too; nil = it was advancing.
  package var stalledSince: Instant?
  /// It holds its slot meanwhile; else that is another's, and it waits for one to go on.
  package var keepsSlot: Bool
  /// It is to go on, and cannot yet: why; nil while nobody wants it to.
  package var waits: PendingReason?

  package init(since: Instant, stalledSince: Instant? = nil, keepsSlot: Bool = false) {
    self.since = since
    self.stalledSince = stalledSince
    self.keepsSlot = keepsSlot
  }
}
