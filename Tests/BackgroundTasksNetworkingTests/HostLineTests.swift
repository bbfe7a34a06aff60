import Dispatch
import Foundation
import JobCore
import Synchronization
import TestKit
import Testing

@testable import BackgroundTasksNetworking

/// Two threads of one program at the transfers of one host.
@Suite(.timeLimit(.minutes(10)))
struct `Who is waiting for other transfers of its host` {
  private let host = "example.org"

  @Test func `is let go of before anybody returns who may have made room`() throws {
    let (lines, gate) = (HostLines(), Gate())
    lines.change(host) {
      $0.add(1, JobNumber(11), after: nil)
      $0.add(2, JobNumber(12), after: JobNumber(11))
      $0.setSuspended(true, 1)
    }
    let told = Mutex<[String]>([])
    let (isTelling, hasReturned) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      lines.admit(at: host, atMost: 1) { number in
        isTelling.signal()
        gate.wait()
        told.withLock { $0.append("the runner hears of \(number)") }
      }
    }
    try Self.await(isTelling)
    Thread.detachNewThread {
      lines.admit(at: host, atMost: 1) { _ in told.withLock { $0.append("twice") } }
      told.withLock { $0.append("returned") }
      hasReturned.signal()
    }
    // It has time to return too early.
    let isEarly = hasReturned.wait(timeout: .now() + .milliseconds(200)) == .success
    gate.open()
    if !isEarly { try Self.await(hasReturned) }
    #expect(told.withLock { $0 } == ["the runner hears of 2", "returned"])
  }

  private static func await(_ event: DispatchSemaphore) throws {
    let limit = DispatchTime.now() + Double(Deadline.timeout.components.seconds)
    guard event.wait(timeout: limit) == .success else {
      throw Overdue(awaited: "the other thread", limit: Deadline.timeout, seen: "nothing")
    }
  }
}
