import BackgroundTasks
import Foundation
import Testing

@Suite(.timeLimit(.minutes(60)))
struct `A virtual clock` {
  @Test func `moves only when it is told to`() {
    let start = Date(timeIntervalSince1970: 1_000_000)
    let clock = VirtualClock(date: start)
    let before = clock.now
    clock.advance(by: .seconds(90))
    #expect(before.duration(to: clock.now) == .seconds(90))
    #expect(clock.date == start.addingTimeInterval(90))
    clock.advance(by: .zero)
    clock.advance(by: .seconds(-5))
    #expect(before.duration(to: clock.now) == .seconds(90))
  }

  @Test func `wakes who sleeps on it`() async throws {
    let clock = VirtualClock()
    let deadline = clock.now.advanced(by: .seconds(3600))
    async let woken: Void = clock.sleep(until: deadline, tolerance: nil)
    clock.advance(by: .seconds(3600))
    try await woken
    #expect(clock.now >= deadline)
  }

  @Test func `a sleep ends with the cancellation of its task`() async {
    let clock = VirtualClock()
    let sleeper = Task { try await clock.sleep(until: clock.now.advanced(by: .seconds(1))) }
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
  }
}
