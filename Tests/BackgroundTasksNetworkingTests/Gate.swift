import Foundation
import TestKit

/// Holds answers of a server back until a test opens it.
final class Gate: Sendable {
  private let condition = NSCondition()
  private nonisolated(unsafe) var isOpen = false

  func open() {
    condition.lock()
    unsafe isOpen = true
    condition.broadcast()
    condition.unlock()
  }

  /// Waits for the opening, at most as long as a test may take.
  func wait() {
    let limit = Date(timeIntervalSinceNow: Double(Deadline.timeout.components.seconds))
    condition.lock()
    while unsafe !isOpen, condition.wait(until: limit) {}
    condition.unlock()
  }
}

extension FileServer.Answer {
  /// The same answer, whose body stops behind `count` bytes until the gate opens.
  func held(behind count: Int, _ gate: Gate) -> FileServer.Answer {
    var answer = self
    answer.sent = count
    answer.pause = { gate.wait() }
    return answer
  }
}
