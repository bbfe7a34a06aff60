import JobCore
import SimulatedWorld
import TestKit
import Testing

@Suite struct LongQueueTests {
  private static let facts = MachineFacts.generous

  private func submission(_ value: UInt64) throws -> Submission {
    var submission = Submission(
      key: "\(value)", identifier: try #require(JobIdentifier("test.\(value)")), speaksPage: true)
    submission.options.requirements.network = value % 3 == 0
    return submission
  }

  @Test func `thousands of jobs keep their order and know their place`() throws {
    var generator = SeededGenerator(seed: 7)
    var core = Scheduler(configuration: .init(slots: 1), firstNumber: JobNumber(1))
    let now = Instant(nanoseconds: 1_000_000_000)
    _ = core.handle(.machine(Self.facts), at: now)
    var waiting = (1...3_000).map { JobNumber($0) }
    for number in waiting.shuffled(using: &generator) {
      let restored = try submission(number.value)
      #expect(core.handle(.restore(number, restored, attempt: 1, .queued), at: now).isEmpty)
    }
    #expect(core.queuedNumbers == waiting)
    for number in waiting.shuffled(using: &generator).prefix(1_000) {
      _ = core.handle(.cancel(RequestTag(1), number, now: false), at: now)
    }
    waiting.removeAll { core.snapshot($0) == nil }
    var order: [JobNumber] = []
    var running = waiting.removeFirst()
    #expect(core.queuedNumbers == waiting)
    for index in stride(from: 0, to: waiting.count, by: 97) {
      #expect(core.snapshot(waiting[index])?.position == index + 1)
    }
    #expect(core.violatedInvariants.isEmpty)
    while core.runningCount > 0 {
      order.append(running)
      let end = RunEnd(status: .exited(0))
      for case .launch(let next, _, _) in core.handle(
        .finished(running, attempt: 1, end), at: now)
      {
        running = next
      }
    }
    #expect(order.dropFirst() == waiting[...])
    #expect(core.nextDeadline == nil)
    #expect(core.violatedInvariants.isEmpty)
  }
}
