import JobCore
import SimulatedWorld
import TestKit
import Testing

/// Days of a machine on which more that is urgent waits than it can ever do.
@Suite struct StarvationTests {
  /// The kinds of waiting jobs: on this machine or an engine, in a group or none, with a scarce resource.
  private static let kinds: [Submission.Options] = {
    var plain = Submission.Options(speaksPage: true)
    plain.priority = .high
    var gpu = plain
    gpu.requirements.gpuCount = 1
    var memory = plain
    memory.requirements.memoryBytes = 40
    var grouped = plain
    grouped.group = GroupName("render")
    var away = plain
    away.engine = "cluster"
    var groupedAway = away
    groupedAway.group = GroupName("render")
    return [plain, gpu, memory, grouped, away, groupedAway]
  }()

  @Test(arguments: [UInt64](1...12))
  func `every job has its turn, whatever it needs and whatever comes`(_ seed: UInt64) throws {
    var days = BusyDays(seed: seed)
    for _ in 0..<5 { for kind in Self.kinds { days.submit(kind, .high) } }
    for kind in Self.kinds { days.submit(kind, .normal) }
    var humble: [JobNumber] = []
    for kind in Self.kinds { humble.append(days.submit(kind, .low)) }
    // A job that needs all resources that others share.
    var whole = Submission.Options(speaksPage: true)
    (whole.requirements.gpuCount, whole.requirements.memoryBytes) = (3, 90)
    humble.append(days.submit(whole, .low))
    days.live(for: .days(4))
    let late = humble.filter { days.startedAt[$0] == nil }
    #expect(late.isEmpty, "seed \(seed): \(late) never started; \(days.started) did")
    let longest = humble.compactMap { days.startedAt[$0] }.max() ?? .zero
    // Ten more urgent jobs, each of an hour, go first; then its resources must become free, and one job of each
    // priority is lifted at a time.
    #expect(longest <= .minutes(36 * 60), "seed \(seed): one waited for \(longest.words)")
  }
}

/// A core whose jobs take seconds to an hour, each followed by another one like it.
private struct BusyDays {
  var core: Scheduler
  var now = Instant(nanoseconds: 1_000_000_000)
  var dice: Dice
  private(set) var started = 0
  private(set) var startedAt: [JobNumber: Interval] = [:]
  private var count: UInt64 = 0
  private var kinds: [JobNumber: (Submission.Options, Submission.Priority)] = [:]
  /// The ends by time, ascending.
  private var ends: [(Instant, JobNumber)] = []
  private let begin: Instant

  init(seed: UInt64) {
    dice = Dice(seed: seed)
    core = Scheduler(configuration: .init(slots: 2), firstNumber: JobNumber(1))
    begin = now
    tell(.engines(["cluster": 2]))
    tell(.machine(.generous))
  }

  @discardableResult
  mutating func submit(_ options: Submission.Options, _ priority: Submission.Priority) -> JobNumber
  {
    count += 1
    var submission = Submission(
      key: "\(count)", identifier: JobIdentifier("test.a\(count)") ?? Self.anybody,
      speaksPage: true)
    submission.options = options
    submission.options.priority = priority
    let number = JobNumber(count)
    kinds[number] = (options, priority)
    tell(.submit(RequestTag(count), submission))
    return number
  }

  private static let anybody = Dice.anybody

  mutating func live(for span: Interval) {
    while let (due, number) = ends.first, due - begin <= span {
      ends.removeFirst()
      now = max(now, due)
      // Urgent jobs are submitted again before the slot becomes free.
      if let (options, priority) = kinds.removeValue(forKey: number), priority != .low {
        submit(options, priority)
      }
      tell(.finished(number, attempt: 1, RunEnd(status: .exited(0))))
      while let due = core.nextDeadline, due <= now { tell(.deadline) }
    }
  }

  private mutating func tell(_ event: Event) {
    for effect in core.handle(event, at: now) {
      switch effect {
      case .launch(let number, _, _):
        started += 1
        startedAt[number] = now - begin
        let end = now + .seconds(dice.number(in: 1...3_600))
        let place = ends.firstIndex { $0.0 > end } ?? ends.endIndex
        ends.insert((end, number), at: place)
      case .probe: tell(.machine(.generous))
      case .announce, .reply, .sample, .stop, .pause, .resume, .kill, .survey, .released: break
      }
    }
  }
}
