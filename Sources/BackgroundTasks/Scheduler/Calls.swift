internal import Synchronization

/// The number of current calls of one scheduler: a process that has completed its task must not exit during a
/// call.
package final class Calls: Sendable {
  private let count = Atomic<Int>(0)

  var isEmpty: Bool { count.load(ordering: .acquiring) == 0 }

  package func begin() {
    count.wrappingAdd(1, ordering: .acquiringAndReleasing)
  }

  package func end() {
    count.wrappingSubtract(1, ordering: .acquiringAndReleasing)
  }

  package func during<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure)
    -> Value
  {
    begin()
    defer { end() }
    return try body()
  }
}
