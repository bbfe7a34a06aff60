internal import Foundation

/// The sum of a task's own units and its children's.
///
/// The page's completed word is shared: authors add their units to it at any time, and the timer replaces it
/// by the composed count. The difference to the last published value are units added since; they are collected
/// before the word is replaced, so that none is lost.
struct ProgressTree {
  struct Child {
    var progress: Progress
    /// The number of the parent's units that it represents.
    var portion: Int64
  }

  /// Parts of the whole in which fractions are counted: a multiple of 1 to 36, 100 and 1,000, so that these are
  /// exact, and one number, as Foundation traps on changes between totals of different scales.
  static let resolution: Int64 = 722_017_764_468_000
  /// Totals below this are published in finer units: a parent with two children and a total of two still
  /// advances visibly.
  private static let fineTotal: Int64 = 10_000

  private(set) var children: [Child] = []
  /// The author's own units and those of finished children.
  private var own: Int64 = 0
  /// The last value written to the page's completed word.
  private var published: Int64 = 0
  /// Whether the last publication was made.
  private var isClosed = false

  mutating func add(_ child: Progress, portion: Int64) {
    children.append(Child(progress: child, portion: portion))
  }

  mutating func completedUnits(inPage page: WorkerPage) -> Int64 {
    fold()
    return own + page.completedUnits - published
  }

  mutating func setCompletedUnits(_ units: Int64, inPage page: WorkerPage) {
    fold()
    own = units - (page.completedUnits - published)
  }

  /// Completed over total, children included; 0 when indeterminate.
  mutating func fraction(ofTotal total: Int64, inPage page: WorkerPage) -> Double {
    guard total > 0 else { return 0 }
    let units = Double(completedUnits(inPage: page))
    return children.reduce(units / Double(total)) { sum, child in
      sum + min(1, max(0, child.progress.fractionCompleted)) * Double(child.portion) / Double(total)
    }
  }

  /// Writes the composed count and total; false when no child is left.
  ///
  /// `isLast`: in the author's own units again, unless a child is unfinished, so that an ended task shows "3
  /// items", not "10002". Later samples write nothing.
  mutating func publish(total: Int64, to page: WorkerPage, isLast: Bool = false) -> Bool {
    guard !isClosed || isLast else { return false }
    isClosed = isLast
    fold()
    let isFine = total > 0 && total < Self.fineTotal && !(isLast && children.isEmpty)
    let scale = isFine ? Self.fineTotal / total + 1 : 1
    page.setTotalUnits(total.multipliedReportingOverflow(by: scale).partialValue)
    repeat {
      let present = page.completedUnits
      own += present - published
      published = present
      fold()
      let composed = fraction(ofTotal: total, inPage: page) * Double(total) * Double(scale)
      let target = total > 0 ? Int64(min(composed.rounded(.down), 9e18)) : own
      if page.replaceCompletedUnits(present, by: max(0, target)) {
        published = max(0, target)
        return !children.isEmpty
      }
    } while true
  }

  /// Finished children become units of their parent.
  private mutating func fold() {
    guard !children.isEmpty else { return }
    var unfinished: [Child] = []
    for child in children {
      if child.progress.isFinished { own += child.portion } else { unfinished.append(child) }
    }
    children = unfinished
  }
}
