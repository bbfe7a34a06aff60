/// The number that a person types: unique in one store, ascending in order of acceptance, from 1.
package struct JobNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
  package var value: UInt64

  package init(_ value: UInt64) {
    self.value = value
  }

  package static func < (left: JobNumber, right: JobNumber) -> Bool { left.value < right.value }

  package var description: String { "\(value)" }
}

/// Names the request that a reply answers; chosen by whoever hands the event to the core.
package struct RequestTag: Hashable, Sendable {
  package var value: UInt64

  package init(_ value: UInt64) {
    self.value = value
  }
}
