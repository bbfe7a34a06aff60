import JobCore
import TestKit
import Testing

@Suite struct RetryTests {
  /// When each attempt of a job that always fails is due after the end of the one before.
  private func delays(seed: UInt64?, number: UInt64 = 1, failures: Int) -> [Interval] {
    var rules = Scheduler.Configuration(slots: 2)
    rules.retrySeed = seed
    var core = Scheduler(configuration: rules, firstNumber: JobNumber(number))
    guard let identifier = JobIdentifier("test.a") else { return [] }
    var submission = Submission(key: "key", identifier: identifier, speaksPage: false)
    submission.options.retries = failures
    var now = Instant(nanoseconds: 0)
    _ = core.handle(.submit(RequestTag(1), submission), at: now)
    return (1...failures).map { attempt in
      let end = RunEnd(status: .exited(1))
      _ = core.handle(.finished(JobNumber(number), attempt: attempt, end), at: now)
      let due = core.nextDeadline ?? now
      defer {
        now = due
        _ = core.handle(.deadline, at: now)
      }
      return due - now
    }
  }

  @Test func `the delays double up to five minutes`() {
    let delays = delays(seed: nil, failures: 12)
    #expect(delays.prefix(4).map(\.milliseconds) == [1000, 2000, 4000, 8000])
    #expect(delays.suffix(3).map(\.milliseconds) == [300_000, 300_000, 300_000])
  }

  @Test func `a seed shortens each delay by up to a quarter, always in the same way`() {
    let full = delays(seed: nil, failures: 12)
    for seed in 0..<200 as Range<UInt64> {
      let drawn = delays(seed: seed, failures: 12)
      #expect(drawn == delays(seed: seed, failures: 12))
      for (delay, full) in zip(drawn, full) {
        #expect(delay <= full && delay * 4 >= full * 3, "seed \(seed): \(delay.words)")
      }
    }
  }

  @Test func `jobs that failed together do not come back together`() {
    let first = (1...100).map { delays(seed: 7, number: $0, failures: 6)[5].milliseconds }
    #expect(Set(first).count > 90)
    // Of 32 s, up to 8 s are taken off; a hundred jobs use nearly all of that.
    #expect((first.max() ?? 0) - (first.min() ?? 0) > 6000)
  }
}
