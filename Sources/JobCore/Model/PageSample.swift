/// How long ago something happened on a machine that looks more often than this one hears of it.
///
/// Such a look is handed in only when that machine has written since the last one: so two looks are two
/// signs that it lives, and none of them condemns a job of which nothing is heard.
package struct SampleAges: Hashable, Sendable {
  /// Since the job's words changed.
  package var reported: Interval
  /// Since its fraction grew.
  package var advanced: Interval

  package init(reported: Interval, advanced: Interval) {
    self.reported = reported
    self.advanced = advanced
  }
}

/// What one look at a job showed: the worker-written words of its page, and its log's size.
///
/// Any difference between two samples of the same attempt is a *report*, a sign of life; a grown
/// fraction is an *advance*.
package struct PageSample: Hashable, Sendable {
  /// What the counts count, under its name in messages and files.
  package enum Unit: String, Hashable, Sendable, CaseIterable {
    case items, bytes
    /// Hundredths of a percent of something that is not counted; recognised, never on a page.
    case share
  }

  package var completed: UInt64 = 0
  /// 0 = indeterminate.
  package var total: UInt64 = 0
  /// Bumped by every report that changes no count.
  package var reports: UInt64 = 0
  package var unit: Unit = .items
  /// The text's seqlock word: changes with every new title or subtitle.
  package var textSequence: UInt64 = 0
  /// Until then the job has announced to be quiet; the epoch of the clock = no quiet phase.
  package var quietUntil = Instant(nanoseconds: 0)
  /// Size of the log in bytes: a sign of life of plain commands.
  package var logBytes: UInt64 = 0

  package init() {}

  /// Completed over total, clamped to 0…1; nil when indeterminate.
  package var fraction: Double? {
    total == 0 ? nil : min(1, Double(completed) / Double(total))
  }
}
