import JobCore
import SimulatedWorld
import TestKit
import Testing

@Suite struct PriorityTests {
  @Test func `higher priorities go first, and within one the order is that of submission`() {
    Scenario.play(
      """
      slots 1
      0s  submit a        | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b low    | 2 submitted slots, accepted 2
          submit c        | 3 submitted slots, accepted 3
          submit d high   | 4 submitted slots, accepted 4
          submit e        | 5 submitted slots, accepted 5
          submit f high   | 6 submitted slots, accepted 6
          queue           | 4 6 3 5 2
          show 4          | queued slots #1
          show 5          | queued slots #4
          show 2          | queued slots #5
          why 6           | the only slot is taken by job 1
          why 5           | the only slot is taken by job 1; 2 of a higher priority go first
          finished 1      | 1 ended succeeded, 4 launched, launch 4.1
          why 3           | the only slot is taken by job 4; 1 of a higher priority goes first
          finished 4      | 4 ended succeeded, 6 launched, launch 6.1
          finished 6      | 6 ended succeeded, 3 launched, launch 3.1
          finished 3      | 3 ended succeeded, 5 launched, launch 5.1
          finished 5      | 5 ended succeeded, 2 launched, launch 2.1
      """)
  }

  @Test func `a job of a higher priority holds back what it waits for, and nothing else`() {
    Scenario.play(
      """
      slots 3
      0s  machine gpus=2          |
          submit a gpu            | 1 submitted slots, 1 launched, accepted 1, launch 1.1 on 0
          submit b low gpu        | 2 submitted slots, 2 launched, accepted 2, launch 2.1 on 1
          submit c gpu            | 3 submitted gpu, accepted 3
          submit d high gpu=2     | 4 submitted gpu, accepted 4
          finished 1              | 1 ended succeeded
          why 3                   | job 4 has a higher priority and also waits for a GPU
          submit e low            | 5 submitted slots, 5 launched, accepted 5, launch 5.1
          finished 2              | 2 ended succeeded, 4 launched, launch 4.1 on 0+1
      """)
  }

  /// The bound of the page: ten of higher priorities, and ten minutes.
  @Test func `one that is passed by ten others for ten minutes goes next`() {
    var lines = [
      "slots 1",
      "0s submit a high | 1 submitted slots, 1 launched, accepted 1, launch 1.1",
      "   submit b low  | 2 submitted slots, accepted 2",
      "   submit c low  | 3 submitted slots, accepted 3",
    ]
    // From 70 s to 700 s ten jobs are started, the last of them after ten minutes.
    for index in 1...10 {
      let (last, next) = (index == 1 ? 1 : index + 2, index + 3)
      lines += [
        "\(index * 70)s submit n\(index) high | \(next) submitted slots, accepted \(next)",
        "   finished \(last) | \(last) ended succeeded, \(next) launched, launch \(next).1",
      ]
    }
    lines += [
      "770s submit z high | 14 submitted slots, accepted 14",
      "     queue         | 2 14 3",
      "     show 2        | queued slots #1",
      "     finished 13   | 13 ended succeeded, 2 launched, launch 2.1",
      // One at a time: the other low one begins to be passed only now.
      "     finished 2    | 2 ended succeeded, 14 launched, launch 14.1",
    ]
    Scenario.play(lines.joined(separator: "\n"))
  }

  @Test func `neither time nor overtaking alone lifts a job`() {
    Scenario.play(
      """
      slots 1 overtakings 2
      0s  submit a high   | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b        | 2 submitted slots, accepted 2
          submit c high   | 3 submitted slots, accepted 3
          submit d high   | 4 submitted slots, accepted 4
          submit e high   | 5 submitted slots, accepted 5
      # Ten hours in which nobody passed it.
      36000s finished 1   | 1 ended succeeded, 3 launched, launch 3.1
             finished 3   | 3 ended succeeded, 4 launched, launch 4.1
             finished 4   | 4 ended succeeded, 2 launched, launch 2.1
      """)
    Scenario.play(
      """
      slots 1 overtakings 2
      0s   submit a high   | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           submit b        | 2 submitted slots, accepted 2
           submit c high   | 3 submitted slots, accepted 3
           submit d high   | 4 submitted slots, accepted 4
           submit e high   | 5 submitted slots, accepted 5
      599s finished 1      | 1 ended succeeded, 3 launched, launch 3.1
           finished 3      | 3 ended succeeded, 4 launched, launch 4.1
           finished 4      | 4 ended succeeded, 5 launched, launch 5.1
      """)
  }

  /// No starvation: the k-th of its priority starts after k times the bound, whatever else is submitted.
  @Test(arguments: [1, 3], [Submission.Priority.normal, .low])
  func `an endless stream of high ones keeps nobody from starting`(
    slots: Int, priority: Submission.Priority
  ) throws {
    try checkStream(slots, priority, ofBundle: nil)
  }

  @Test(arguments: [1, 2])
  func `nor does one of the same bundle, whose slots are fewer than all`(slots: Int) throws {
    try checkStream(slots, .low, ofBundle: JobIdentifier("test"))
  }

  private func checkStream(
    _ slots: Int, _ priority: Submission.Priority, ofBundle bundle: JobIdentifier?
  ) throws {
    let all = bundle == nil ? slots : slots + 3
    var core = Scheduler(configuration: .init(slots: all), firstNumber: JobNumber(1))
    if let bundle {
      var settings = BundleSettings()
      settings.slots = slots
      _ = core.handle(.settings([bundle: settings]), at: Instant(nanoseconds: 0))
    }
    var now = Instant(nanoseconds: 1_000_000_000)
    var count: UInt64 = 0
    func job(_ priority: Submission.Priority) throws -> Event {
      count += 1
      var submission = Submission(
        key: "\(count)", identifier: try #require(JobIdentifier("test.\(count)")), speaksPage: true)
      submission.options.priority = priority
      submission.bundle = bundle
      return .submit(RequestTag(count), submission)
    }
    for _ in 0..<(slots + 5) { _ = core.handle(try job(.high), at: now) }
    var waiting: [JobNumber] = []
    for _ in 0..<3 {
      _ = core.handle(try job(priority), at: now)
      waiting.append(JobNumber(count))
    }
    let minute = Interval.seconds(60)
    var started: [(JobNumber, Interval)] = []
    let begin = now
    // Each job takes a minute, and for each that ends another high one comes.
    while started.count < 3, now - begin < .minutes(120) {
      now = now + minute
      for number in core.liveNumbers where core.snapshot(number)?.state == .launching {
        _ = core.handle(try job(.high), at: now)
        for case .launch(let next, _, _) in core.handle(
          .finished(number, attempt: 1, RunEnd(status: .exited(0))), at: now)
        where waiting.contains(next) {
          started.append((next, now - begin))
        }
      }
    }
    #expect(started.map(\.0) == waiting)
    for (index, start) in started.enumerated() {
      // Ten jobs of a minute each are passed within ten minutes, and then a slot has to fall free.
      let bound = (Interval.minutes(10) + minute + minute).milliseconds * UInt64(index + 1)
      #expect(start.1.milliseconds <= bound, "\(start.0) waited for \(start.1.words)")
      #expect(start.1 >= .minutes(10 * UInt64(index + 1)))
    }
  }

  @Test func `a crowd that has waited for long does not stand in the way of what is urgent`() {
    Scenario.play(
      """
      slots 1 overtakings 1
      0s    submit a       | 1 submitted slots, 1 launched, accepted 1, launch 1.1
            submit b       | 2 submitted slots, accepted 2
            submit c       | 3 submitted slots, accepted 3
            submit d       | 4 submitted slots, accepted 4
      9000s submit e high  | 5 submitted slots, accepted 5
            submit f high  | 6 submitted slots, accepted 6
            submit g high  | 7 submitted slots, accepted 7
            finished 1     | 1 ended succeeded, 5 launched, launch 5.1
            finished 5     | 5 ended succeeded, 2 launched, launch 2.1
            finished 2     | 2 ended succeeded, 6 launched, launch 6.1
            finished 6     | 6 ended succeeded, 7 launched, launch 7.1
      """)
  }

  @Test func `a new job with a higher priority starts now where only lower ones wait`() {
    Scenario.play(
      """
      slots 1
      0s  submit a           | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b fail high | refused immediateRunIneligible
          said               | the only slot is taken by job 1; submit with --strategy queue to wait
      """)
  }

  @Test func `an earlier runner's order and priorities hold`() {
    Scenario.play(
      """
      slots 1
      0s  restore 1 a queued low            |
          restore 2 b queued                |
          restore 3 c queued seat=-5        |
          restore 4 d running               |
          deadline                          |
          queue                             | 3 2 1
      """)
  }
}
