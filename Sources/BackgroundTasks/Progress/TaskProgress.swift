internal import Foundation
internal import Synchronization

/// The `Progress` behind `task.progress`: its counts live in the job's page, so that a report is one atomic
/// operation and all threads may report without losing a unit.
///
/// Without children it does nothing else. Once a child is attached, a timer publishes the composed
/// fraction ten times a second. Children are kept here and not in `Progress`, whose tree is not safe
/// when siblings report from several threads.
///
/// Sendable by hand: its own state is atomic or behind `tree`; the inherited state is written only
/// under `tree` (see `mirror`).
final class TaskProgress: Progress, @unchecked Sendable {
  let page: WorkerPage
  /// `totalUnitCount` as the author set it; the page holds it clamped, and finer once composed.
  private let total = Atomic<Int64>(0)
  private let isComposed = Atomic<Bool>(false)
  private let hasReporter = Atomic<Bool>(false)
  /// The count at which the inherited counts are brought up to date again.
  private let mirrorAt = Atomic<Int64>(0)
  private let tree = Mutex(ProgressTree())
  private let timer = ProgressTimer()

  init(page: WorkerPage) {
    self.page = page
    super.init(parent: nil, userInfo: nil)
    isCancellable = true
  }

  override var completedUnitCount: Int64 {
    get {
      guard isComposed.load(ordering: .acquiring) else { return page.completedUnits }
      return tree.withLock { $0.completedUnits(inPage: page) }
    }
    set {
      if isComposed.load(ordering: .acquiring) {
        tree.withLock { $0.setCompletedUnits(newValue, inPage: page) }
        publish()
      } else {
        page.setCompletedUnits(newValue)
        mirror()
      }
    }
    _modify {
      let before = completedUnitCount
      var after = before
      yield &after
      advance(by: after &- before)
    }
  }

  /// Adds to the completed units; exact with any number of threads.
  func advance(by units: Int64) {
    let after = page.addCompletedUnits(units)
    if after >= mirrorAt.load(ordering: .relaxed) || units < 0 { mirror() }
  }

  override var totalUnitCount: Int64 {
    get { total.load(ordering: .relaxed) }
    set {
      total.store(newValue, ordering: .relaxed)
      if isComposed.load(ordering: .acquiring) {
        publish()
      } else {
        page.setTotalUnits(newValue)
        mirror()
      }
    }
  }

  override var isIndeterminate: Bool {
    let (completed, total) = (completedUnitCount, totalUnitCount)
    return completed < 0 || total < 0 || (completed == 0 && total == 0)
  }

  override var isFinished: Bool {
    let (completed, total) = (completedUnitCount, totalUnitCount)
    return completed > 0 && total >= 0 && completed >= total
  }

  override var kind: ProgressKind? {
    didSet { page.setUnit(kind == .file ? .bytes : .items) }
  }

  /// Marks it and its children cancelled; a stop of the job does so, too.
  override func cancel() {
    super.cancel()
    for child in tree.withLock({ $0.children.map(\.progress) }) { child.cancel() }
  }

  /// Longer than any intended pause; after it silence counts again.
  private static let longestPause = Duration.seconds(86_400)

  /// Pauses it and its children: reports stop until it is resumed, and the page says so.
  override func pause() {
    super.pause()
    page.announceQuiet(for: Self.longestPause)
    for child in tree.withLock({ $0.children.map(\.progress) }) { child.pause() }
  }

  override func resume() {
    super.resume()
    page.announceQuiet(for: .zero)
    for child in tree.withLock({ $0.children.map(\.progress) }) { child.resume() }
  }

  // MARK: The only writer

  /// False while there is another sole writer, or the counts are composed.
  func beginReporting() -> Bool {
    guard !isComposed.load(ordering: .acquiring) else { return false }
    return !hasReporter.exchange(true, ordering: .acquiringAndReleasing)
  }

  func endReporting() {
    hasReporter.store(false, ordering: .releasing)
    mirror()
  }

  // MARK: Children

  override func addChild(_ child: Progress, withPendingUnitCount portion: Int64) {
    tree.withLock { $0.add(child, portion: portion) }
    isComposed.store(true, ordering: .releasing)
    if isCancelled { child.cancel() }
    if isPaused { child.pause() }
    if publish() { timer.start { [weak self] in self?.publish() ?? false } }
  }

  /// Without a child in between, the pending units count as done (as `Progress` has it).
  override func resignCurrent() {
    let units = tree.withLock { _ in
      let before = super.completedUnitCount
      super.resignCurrent()
      let units = super.completedUnitCount - before
      super.completedUnitCount = before
      return units
    }
    if units != 0 { advance(by: units) }
  }

  /// Updates the page from the children; false when none of them is unfinished.
  @discardableResult
  func publish(isLast: Bool = false) -> Bool {
    let isLive = tree.withLock { $0.publish(total: totalUnitCount, to: page, isLast: isLast) }
    mirror()
    return isLive
  }

  /// Updates the inherited counts from the children, for a caller that reads them.
  func refresh() {
    if isComposed.load(ordering: .acquiring) { mirror() }
  }

  /// The last publication: no more samples follow.
  func finish() {
    timer.stop()
    if isComposed.load(ordering: .acquiring) { publish(isLast: true) }
  }

  /// Updates the inherited counts.
  ///
  /// `fractionCompleted` cannot be overridden on Linux, and reads them. Without children they are updated in
  /// steps of a thousandth of the total.
  private func mirror() {
    tree.withLock { tree in
      let total = totalUnitCount
      guard isComposed.load(ordering: .acquiring) else {
        let completed = page.completedUnits
        super.totalUnitCount = total
        super.completedUnitCount = completed
        let next =
          total > 0 ? completed.addingReportingOverflow(max(1, total / 1000)) : (.max, true)
        mirrorAt.store(next.1 ? .max : min(next.0, max(total, completed + 1)), ordering: .relaxed)
        return
      }
      mirrorAt.store(.max, ordering: .relaxed)
      guard total > 0 else {
        super.totalUnitCount = total
        super.completedUnitCount = tree.completedUnits(inPage: page)
        return
      }
      super.totalUnitCount = ProgressTree.resolution
      let units = tree.fraction(ofTotal: total, inPage: page) * Double(ProgressTree.resolution)
      super.completedUnitCount = Int64(min(9e18, max(-9e18, units.rounded())))
    }
  }
}
