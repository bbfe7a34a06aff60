/// The actions due on a virtual clock, and its current delay.
struct VirtualAgenda {
  typealias Action = @Sendable () -> Void

  private struct Entry {
    var due: UInt64
    var action: Action
  }

  /// Nanoseconds.
  private(set) var elapsed: UInt64 = 0
  /// In reverse order: the earliest last; of simultaneous ones, the first added last.
  private var entries: [Entry] = []

  /// Overdue actions run with the next advance.
  mutating func add(_ action: @escaping Action, at due: UInt64) {
    let place = entries.firstIndex { $0.due <= due } ?? entries.endIndex
    entries.insert(Entry(due: due, action: action), at: place)
  }

  /// The next action that is due by `target`, with the clock moved to it; nil when the clock has come
  /// to `target`.
  mutating func next(until target: UInt64) -> Action? {
    guard let entry = entries.last, entry.due <= target else {
      elapsed = max(elapsed, target)
      return nil
    }
    entries.removeLast()
    elapsed = max(elapsed, entry.due)
    return entry.action
  }
}
