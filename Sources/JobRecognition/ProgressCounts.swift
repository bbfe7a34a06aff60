package import JobCore

/// How far a program is, as its output or its files tell.
package struct ProgressCounts: Hashable, Sendable {
  /// The total of counts in `share`: hundredths of a percent.
  package static let wholeShare: UInt64 = 10_000

  package var completed: UInt64
  /// 0 = indeterminate.
  package var total: UInt64
  package var unit: PageSample.Unit

  package init(completed: UInt64, total: UInt64 = 0, unit: PageSample.Unit = .items) {
    self.completed = completed
    self.total = total
    self.unit = unit
  }

  /// A share without an amount; more than the whole is the whole.
  package init(hundredths: UInt64) {
    self.init(
      completed: min(hundredths, ProgressCounts.wholeShare), total: ProgressCounts.wholeShare,
      unit: .share)
  }

  /// The share `part` of `whole`; nil if the whole is unknown.
  init?(part: UInt64, of whole: UInt64) {
    guard whole > 0 else { return nil }
    let product = min(part, whole).multipliedFullWidth(by: ProgressCounts.wholeShare)
    self.init(hundredths: whole.dividingFullWidth(product).quotient)
  }

  /// All of a known total is done.
  package var isComplete: Bool { total > 0 && completed >= total }
}
