import JobCore

/// Tells when counts that are nearly complete say nothing more: the job goes on with work that they do not cover.
///
/// At its pace so far, the last hundredth of them takes a hundredth of the time. If it takes a ninth, a tenth of
/// the work was still to be done, and "99 %" was wrong.
struct NearlyComplete: Hashable, Sendable {
  private static let nearly = 0.99
  /// A fall to less than this share of what was done begins anew.
  private static let anew = 0.5
  private static let part: UInt64 = 9
  /// A shorter rest is one of output that comes in pieces.
  private static let shortest = Interval.seconds(2)

  private var begun: Instant?
  private var counts: ProgressCounts?
  private var since = Instant(nanoseconds: 0)

  /// Whether these counts, seen at `now`, rest for too long at their end.
  mutating func isOver(_ counts: ProgressCounts, at now: Instant) -> Bool {
    let before = self.counts?.fraction ?? 0
    if begun == nil || counts.fraction < before * Self.anew { begun = now }
    if counts != self.counts { (self.counts, since) = (counts, now) }
    guard let begun, counts.total > 0, !counts.isComplete, counts.fraction >= Self.nearly else {
      return false
    }
    let rest = Interval(nanoseconds: (since - begun).nanoseconds / Self.part)
    return now - since > max(Self.shortest, rest)
  }
}
