internal import Synchronization

// For a worker whose progress has several parts.
extension PageWriter {
  /// Adds to the completed count, as `advance(by:)` does, and returns the sum.
  package borrowing func advanced(by count: Int64) -> UInt64 {
    unsafe word64(PageLayout.completed).pointee
      .wrappingAdd(UInt64(bitPattern: count), ordering: .relaxed).newValue
  }

  /// Sets the completed count if it is still `expected`; false, and nothing written, if it is not.
  package borrowing func replaceCompleted(_ expected: UInt64, by count: UInt64) -> Bool {
    unsafe word64(PageLayout.completed).pointee
      .compareExchange(expected: expected, desired: count, ordering: .relaxed).exchanged
  }
}
