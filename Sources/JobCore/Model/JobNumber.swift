/// The number that a person types: unique in one store, ascending in order of acceptance, from 1.
package struct JobNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
  package var value: UInt64

  package init(_ value: UInt64) {
    self.value = value
  }

  /// The largest number in use: up to it every JSON reader represents integers exactly.
  ///
  /// A larger one in a file is garbage.
  package static let largest = JobNumber(1 << 53 - 1)

  /// Whether a job can have it.
  package var isPossible: Bool { value > 0 && self <= .largest }

  package static func < (left: JobNumber, right: JobNumber) -> Bool { left.value < right.value }

  package var description: String { "\(value)" }
}

/// Identifies the request that a reply answers; chosen by the sender of the event.
package struct RequestTag: Hashable, Sendable {
  package var value: UInt64

  package init(_ value: UInt64) {
    self.value = value
  }
}
