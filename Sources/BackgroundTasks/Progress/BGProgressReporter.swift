public import Synchronization

/// The only writer of a task's completed units: a report is one plain store, for loops so tight that
/// even an atomic addition would show.
///
/// While it lives it must be the only writer: its next store overwrites additions through `progress` or
/// `advance(by:)`, and children of the progress are not composed. Its end updates the `Progress` and allows
/// other writers again.
///
/// Sendable by hand: it has one owner at any time, and the page outlives it with the task.
@safe
public struct BGProgressReporter: ~Copyable, @unchecked Sendable {
  @usableFromInline
  let word: UnsafeMutablePointer<Atomic<UInt64>>
  private let task: BGTask

  @usableFromInline
  var count: Int64

  init(_ task: BGTask, _ word: UnsafeMutablePointer<Atomic<UInt64>>) {
    self.task = task
    unsafe self.word = unsafe word
    count = task.page.completedUnits
  }

  deinit {
    task.counts.endReporting()
  }

  /// The completed units so far.
  @inlinable
  public var completedUnitCount: Int64 { count }

  /// Adds to the completed units.
  @inlinable
  public mutating func advance(by units: Int64) {
    complete(count &+ units)
  }

  /// Sets the completed units.
  @inlinable
  public mutating func complete(_ units: Int64) {
    count = units
    unsafe word.pointee.store(UInt64(bitPattern: units), ordering: .relaxed)
  }
}

extension BGTask {
  /// The reporter of a task that counts on one thread only.
  ///
  /// - Returns: Nil while another reporter lives, and once the progress has children.
  public func makeReporter() -> BGProgressReporter? {
    guard counts.beginReporting() else { return nil }
    return unsafe BGProgressReporter(self, page.completedWord)
  }
}
