internal import Synchronization

/// How many calls of one scheduler are under way: a process that has completed its task and still asks
/// for something must not end in the middle of it.
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
