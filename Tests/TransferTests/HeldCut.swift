import Dispatch
import TestKit

/// Holds up the moment at which a server cuts a connection; later cuts are not held up.
final class HeldCut: Sendable {
  private let isDue = DispatchSemaphore(value: 0)
  private let isReleased = DispatchSemaphore(value: 0)

  /// Called by the server before it cuts a connection; returns at the release.
  func hold() {
    isDue.signal()
    _ = isReleased.wait(timeout: Self.limit)
    isReleased.signal()
  }

  /// Waits until a connection is to be cut.
  func await() throws {
    guard isDue.wait(timeout: Self.limit) == .success else {
      throw Overdue(awaited: "a cut", limit: Deadline.timeout, seen: "")
    }
  }

  func release() { isReleased.signal() }

  private static var limit: DispatchTime {
    DispatchTime.now() + Double(Deadline.timeout.components.seconds)
  }
}
