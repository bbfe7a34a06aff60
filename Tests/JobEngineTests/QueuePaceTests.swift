import JobEngine
import Testing

/// How often a queue is asked, and how many launches go with one call.
struct QueuePaceTests {
  private static let millisecond: UInt64 = 1_000_000
  private static let second: UInt64 = 1_000_000_000

  private func arguments(_ signal: inout QueueSignal) -> [String] {
    let (ids, name) = signal.begin()
    return SlurmElements.arguments(for: ids, named: name)
  }

  @Test func `one launch waits for nobody`() {
    var flurry = LaunchFlurry()
    flurry.note(at: Self.second)
    #expect(flurry.end == Self.second)
    flurry.note(at: 9 * Self.second)
    #expect(flurry.end == 9 * Self.second)
  }

  @Test func `launches that come together are waited for until none comes`() {
    var flurry = LaunchFlurry()
    for number in 0..<20 { flurry.note(at: Self.second + UInt64(number) * Self.millisecond) }
    #expect(flurry.end == Self.second + 19 * Self.millisecond + LaunchFlurry.pause)
  }

  @Test func `an endless stream of launches goes in portions`() {
    var flurry = LaunchFlurry()
    var portions = 0
    for number in 0..<100_000 {
      let now = Self.second + UInt64(number) * Self.millisecond / 10
      flurry.note(at: now)
      #expect(flurry.end <= now + LaunchFlurry.pause)
      if flurry.end > now { continue }
      flurry.handOver(at: now)
      portions += 1
    }
    // Ten seconds of them; the first is sent alone.
    #expect(portions == 5)
  }

  @Test func `elements of an array are told with one request, and nobody is told while others are`()
  {
    var signal = QueueSignal()
    for id in ["7", "12_3", "12_4", "12_0", "12_5", "13_[8-9,20]", "12_4"] { signal.insert(id) }
    #expect(signal.isDue)
    #expect(arguments(&signal) == ["12_[0,3-5]", "13_[8-9,20]", "7"])
    signal.insert("14")
    #expect(!signal.isDue && !signal.isEmpty)
    signal.isUnderWay = false
    #expect(signal.isDue)
    #expect(arguments(&signal) == ["14"])
  }

  @Test func `a number that no array has is told as it came`() {
    var signal = QueueSignal()
    for id in ["12_9223372036854775807", "12_4294967295", "12_4294967294", "12_-1", "12_"] {
      signal.insert(id)
    }
    #expect(
      arguments(&signal) == [
        "12_", "12_-1", "12_9223372036854775807", "12_[4294967294-4294967295]",
      ])
  }

  @Test func `what is not fresh from the queue is told by number and name`() {
    var signal = QueueSignal()
    for id in ["12_3", "12_4"] { signal.insert(id, named: "jobrun.abc.b1") }
    #expect(arguments(&signal) == ["--name=jobrun.abc.b1", "12_3", "12_4"])
    #expect(signal.isEmpty)
  }

  @Test func `how long a failure took does not put the next look off`() {
    var pace = QueuePollPace()
    #expect(pace.pause(after: 0, failures: 0) == nil)
    pace.note(.waiting)
    #expect(pace.pause(after: 60 * Self.second, failures: 1) == 10 * Self.second)
    #expect(pace.pause(after: 60 * Self.second, failures: 100) == 20 * Self.second)
    pace.note(.watched)
    #expect(pace.pause(after: 60 * Self.second, failures: 1) == 2 * Self.second)
    #expect(pace.pause(after: 60 * Self.second, failures: 3) == 8 * Self.second)
  }

  @Test func `a look that takes long is taken seldom, and never not at all`() {
    var pace = QueuePollPace()
    pace.note(.running)
    pace.note(.watched)
    #expect(pace.pause(after: Self.millisecond, failures: 0) == 2 * Self.second)
    #expect(pace.pause(after: Self.second, failures: 0) == 20 * Self.second)
    #expect(pace.pause(after: 60 * Self.second, failures: 0) == 60 * Self.second)
  }

  @Test func `what a helper leaves behind is cancelled until Slurm answers`() {
    let command = SlurmFarewell.command(for: ["a", "b"], awaitsSubmission: false)
    #expect(command.suffix(2) == ["a", "b"])
    #expect(command[2].hasPrefix("n=180\nfor round in 1; do"))
    #expect(
      SlurmFarewell.command(for: ["a"], awaitsSubmission: true)[2].hasPrefix(
        "n=180\nfor round in 1 2; do"))
  }

  @Test func `a controller that answers late is asked less often, and never not at all`() {
    var budget = QueueBudget(at: 0)
    let taken = (0..<100).count { _ in budget.take(at: 0) }
    #expect(taken == 15)
    for _ in 0..<50 { budget.note(5 * Self.second) }
    let next = budget.next(after: 0)
    #expect(next == 2 * Self.second)
    let early = budget.take(at: next - Self.millisecond)
    let inTime = budget.take(at: next)
    #expect(!early && inTime)
    for _ in 0..<50 { budget.note(Self.millisecond) }
    #expect(budget.next(after: next) - next == Self.second / 10)
  }
}
