internal import Synchronization

// For a worker whose progress has several parts.
extension PageWriter {
  /// Sets the completed count if it is still `expected`; false, and nothing written, if it is not.
  package borrowing func replaceCompleted(_ expected: UInt64, by count: UInt64) -> Bool {
    unsafe word64(PageLayout.completed).pointee
      .compareExchange(expected: expected, desired: count, ordering: .relaxed).exchanged
  }
}
