import Synchronization

/// Counts from 1 on, from any thread.
final class Counter: Sendable {
  private let count = Mutex(0)

  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}

/// Counts the occurrences of each number, from any thread.
final class Tally: Sendable {
  private let counts = Mutex<[Int: Int]>([:])

  /// How often it was met, this time included.
  func count(_ number: Int) -> Int {
    counts.withLock { counts in
      counts[number, default: 0] += 1
      return counts[number, default: 0]
    }
  }
}
