import JobSupervision
import Testing

/// When a job is warned about its engine's time limit.
struct EngineLimitTests {
  @Test(
    arguments: [
      // Begin, end, grace; stop, and the delay until the kill.
      (0, 120, 10, 110, 10), (0, 60, 10, 50, 10), (100, 160, 0, 160, 0), (0, 60, 30, 30, 30),
      // No more than half of its time is its grace.
      (0, 60, 31, 30, 30), (0, 60, 3_600, 30, 30), (100, 160, .max, 130, 30), (0, 1, .max, 1, 0),
      (0, .max, 10, .max - 10, 10), (0, .max, .max, .max - .max / 2, .max / 2),
      // It was over before it was known.
      (100, 100, 10, 100, 0), (100, 40, 10, 40, 0),
    ] as [(UInt64, UInt64, UInt64, UInt64, UInt64)])
  func `a job has its grace before its time is up, and half of its time before that`(
    _ begun: UInt64, _ end: UInt64, _ grace: UInt64, _ told: UInt64, _ left: UInt64
  ) {
    let limit = EngineLimit(end: end, begun: begun, grace: grace)
    #expect(limit.stopAt == told)
    #expect(limit.grace(at: told, engineGrace: 0) == left)
  }

  @Test func `one that is told late has what the engine itself waits`() {
    let limit = EngineLimit(end: 100, begun: 0, grace: 20)
    #expect(limit.grace(at: 90, engineGrace: 3) == 10)
    #expect(limit.grace(at: 99, engineGrace: 3) == 3)
    #expect(limit.grace(at: .max, engineGrace: 3) == 3)
  }
}
