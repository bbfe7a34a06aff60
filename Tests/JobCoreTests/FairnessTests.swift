import JobCore
import Testing

/// Background starts of bundles: a budget for each, and longer and longer waits for bundles whose tasks fail or
/// overstay.
@Suite struct FairnessTests {
  @Test func `a bundle that has had its starts waits until one of them is a day old`() {
    Scenario.play(
      """
      slots 4
      0s   budget starts=2                  |
           clock 0s                         |
           submit a refresh                 | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           finished 1                       | 1 ended succeeded
           clock 7200s                      |
           submit a refresh                 | 2 submitted slots, 2 launched, accepted 2, launch 2.1
           finished 2                       | 2 ended succeeded
           submit a refresh                 | 3 submitted budget, accepted 3
           why 3                            | test has used its 2 starts per 24 h
           alarm                            | 86400s
      # Nobody else is held up, nor what a person starts of the same bundle.
           submit b refresh of=other        | 4 submitted slots, 4 launched, accepted 4, launch 4.1
           submit c of=test                 | 5 submitted slots, 5 launched, accepted 5, launch 5.1
           clock 86399s                     |
           clock 86400s                     | 3 queued slots, 3 launched, launch 3.1
           finished 3                       | 3 ended succeeded
           submit a refresh                 | 6 submitted budget, accepted 6
           alarm                            | 93600s
      """)
  }

  @Test func `a bundle that has had its processor time waits, and what runs goes on`() {
    Scenario.play(
      """
      slots 4
      0s   budget processor=60s             |
           clock 0s                         |
           submit a processing              | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           submit b processing              | 2 submitted slots, 2 launched, accepted 2, launch 2.1
           finished 1 cpu=50s               | 1 ended succeeded
           submit c processing              | 3 submitted slots, 3 launched, accepted 3, launch 3.1
           finished 2 cpu=10s               | 2 ended succeeded
           submit d processing              | 4 submitted budget, accepted 4
           why 4                            | test has used its 1 min of processor time per 24 h
           show 3                           | launching
      """)
  }

  @Test func `who fails again and again is asked later and later, until a task succeeds`() {
    Scenario.play(
      """
      slots 4
      0s   budget                           |
           clock 0s                         |
           submit a refresh                 | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           finished 1 exit=1                | 1 ended failed
           submit a refresh                 | 2 submitted slots, 2 launched, accepted 2, launch 2.1
           finished 2 exit=1                | 2 ended failed
           submit a refresh                 | 3 submitted budget, accepted 3
           why 3                            | the last 2 tasks of test failed or took too long
           clock 300s                       | 3 queued slots, 3 launched, launch 3.1
           finished 3 exit=1                | 3 ended failed
           submit a refresh                 | 4 submitted budget, accepted 4
           why 4                            | the last 3 tasks of test failed or took too long
           alarm                            | 900s
           clock 900s                       | 4 queued slots, 4 launched, launch 4.1
           finished 4                       | 4 ended succeeded
           submit a refresh                 | 5 submitted slots, 5 launched, accepted 5, launch 5.1
           finished 5 exit=1                | 5 ended failed
           submit b refresh                 | 6 submitted slots, 6 launched, accepted 6, launch 6.1
      """)
  }

  @Test
  func
    `a task that asks for its next turn while it runs is started twice, and then every five minutes`()
  {
    Scenario.play(
      """
      slots 4
      0s   budget                           |
           clock 0s                         |
           submit a refresh                 | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           submit a refresh                 | 2 submitted after, accepted 2
           finished 1                       | 1 ended succeeded, 2 queued slots, 2 launched, launch 2.1
           submit a refresh                 | 3 submitted after, accepted 3
           finished 2                       | 2 ended succeeded, 3 queued budget
           why 3                            | test.a started just now; it starts at most once every 5 min
           alarm                            | 300s
      # Others of the bundle, and pushes, go on.
           submit b processing              | 4 submitted slots, 4 launched, accepted 4, launch 4.1
           submit p push                    | 5 submitted slots, 5 launched, accepted 5, launch 5.1
           clock 299s                       |
           clock 300s                       | 3 queued slots, 3 launched, launch 3.1
           submit a refresh                 | 6 submitted after, accepted 6
           finished 3                       | 3 ended succeeded, 6 queued budget
           alarm                            | 600s
      # Who wants to see it run now does.
           simulate launch 6                | 6 launched, done 6, launch 6.1
           finished 6                       | 6 ended succeeded
           submit a refresh                 | 7 submitted budget, accepted 7
           alarm                            | 600s
      # One that was left alone for long may have two again.
           clock 1200s                      | 7 queued slots, 7 launched, launch 7.1
           finished 7                       | 7 ended succeeded
           submit a refresh                 | 8 submitted slots, 8 launched, accepted 8, launch 8.1
           finished 8                       | 8 ended succeeded
           submit a refresh                 | 9 submitted budget, accepted 9
      """)
  }

  @Test func `more starts a day than usual come closer together`() {
    Scenario.play(
      """
      slots 4
      0s   budget starts=8640               |
           clock 0s                         |
           submit a refresh                 | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           finished 1                       | 1 ended succeeded
           submit a refresh                 | 2 submitted slots, 2 launched, accepted 2, launch 2.1
           finished 2                       | 2 ended succeeded
           submit a refresh                 | 3 submitted budget, accepted 3
           alarm                            | 10s
      """)
  }

  @Test func `who stops in its grace when its time is up has neither failed nor done well`() {
    Scenario.play(
      """
      slots 4
      0s   budget                           |
           clock 0s                         |
           submit a refresh limit=30s       | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           finished 1 exit=1                | 1 ended failed
           submit b refresh limit=30s       | 2 submitted slots, 2 launched, accepted 2, launch 2.1
           started 2                        | 2 started
      30s  deadline                         | 2 stopping limit by 40s, stop 2 limit by 40s
           finished 2                       | 2 ended expired limit
      # One failure is forgiven, and is still there.
           submit c refresh                 | 3 submitted slots, 3 launched, accepted 3, launch 3.1
           finished 3 exit=1                | 3 ended failed
           submit d refresh                 | 4 submitted budget, accepted 4
           why 4                            | the last 2 tasks of test failed or took too long
      """)
  }

  @Test func `who says that it has done well when its time is up has`() {
    Scenario.play(
      """
      slots 4
      0s   budget                           |
           clock 0s                         |
           submit a refresh                 | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           finished 1 exit=1                | 1 ended failed
           submit b refresh limit=30s       | 2 submitted slots, 2 launched, accepted 2, launch 2.1
           started 2                        | 2 started
      30s  deadline                         | 2 stopping limit by 40s, stop 2 limit by 40s
           finished 2 success               | 2 ended expired limit
           submit c refresh                 | 3 submitted slots, 3 launched, accepted 3, launch 3.1
           finished 3 exit=1                | 3 ended failed
           submit d refresh                 | 4 submitted slots, 4 launched, accepted 4, launch 4.1
      """)
  }

  @Test func `nothing that is simulated counts`() {
    Scenario.play(
      """
      slots 4
      0s   budget starts=1                  |
           clock 0s                         |
           submit a refresh                 | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1                        | 1 started
           simulate expire 1                | 1 stopping limit by 10s, done 1, stop 1 limit by 10s
           said                             | its time is up (simulated)
      10s  deadline                         | kill 1
           finished 1 signal=9              | 1 ended expired limit
      # Its start was the runner's own, and counts.
           submit b refresh                 | 2 submitted budget, accepted 2
           why 2                            | test has used its one start per 24 h
           simulate launch 2                | 2 launched, done 2, launch 2.1
           finished 2 exit=1                | 2 ended failed
           budget                           |
           submit c refresh                 | 3 submitted slots, 3 launched, accepted 3, launch 3.1
           finished 3 exit=1                | 3 ended failed
           submit d refresh                 | 4 submitted slots, 4 launched, accepted 4, launch 4.1
      """)
  }

  @Test func `what needs external power costs no processor time, and is a start`() {
    Scenario.play(
      """
      slots 4
      0s   budget processor=60s starts=3    |
           clock 0s                         |
           machine                          |
           submit a processing power        | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           finished 1 cpu=100s              | 1 ended succeeded
           submit b processing              | 2 submitted slots, 2 launched, accepted 2, launch 2.1
           finished 2 cpu=100s              | 2 ended succeeded
           submit c processing              | 3 submitted budget, accepted 3
           why 3                            | test has used its 1 min of processor time per 24 h
      """)
  }

  @Test func `who overstays has failed; who lost a condition or was cancelled has not`() {
    Scenario.play(
      """
      slots 4
      0s   budget                           |
           clock 0s                         |
           submit a refresh limit=30s of=slow | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1                        | 1 started
      30s  deadline                         | 1 stopping limit by 40s, stop 1 limit by 40s
      40s  deadline                         | kill 1
           finished 1 signal=9              | 1 ended expired limit
           submit a refresh of=slow         | 2 submitted slots, 2 launched, accepted 2, launch 2.1
           finished 2 exit=1                | 2 ended failed
           submit a refresh of=slow         | 3 submitted budget, accepted 3
           submit b refresh of=good         | 4 submitted slots, 4 launched, accepted 4, launch 4.1
           finished 4 exit=1                | 4 ended failed
           submit b refresh of=good         | 5 submitted slots, 5 launched, accepted 5, launch 5.1
           cancel 5                         | 5 stopping user by 50s, done 5, stop 5 user by 50s
           finished 5                       | 5 ended cancelled user
           submit c refresh of=good         | 6 submitted slots, 6 launched, accepted 6, launch 6.1
      """)
  }

  @Test func `what waits in line when the budget is spent goes back on the agenda`() {
    Scenario.play(
      """
      slots 1
      0s   budget starts=1                  |
           clock 0s                         |
           submit x                         | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           submit a processing              | 2 submitted slots, accepted 2
           submit b processing              | 3 submitted slots, accepted 3
           submit y                         | 4 submitted slots, accepted 4
      1s   finished 1                       | 1 ended succeeded, 2 launched, 3 queued budget, launch 2.1
      2s   finished 2                       | 2 ended succeeded, 4 launched, launch 4.1
           alarm                            | 86400s
           submit c processing fail         | refused immediateRunIneligible
           said                             | test has used its one start per 24 h; submit with --strategy queue to wait
      # A person has the last word, for one bundle and for all.
           finished 4                       | 4 ended succeeded
           settings test budget=no          | 3 queued slots, 3 launched, launch 3.1
      """)
  }

  @Test func `another budget counts at once, and none lets everything start`() {
    Scenario.play(
      """
      slots 4
      0s   budget starts=1                  |
           clock 0s                         |
           submit a refresh                 | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           submit b processing              | 2 submitted budget, accepted 2
           submit c processing              | 3 submitted budget, accepted 3
           budget starts=2                  | 2 queued slots, 3 queued slots, 2 launched, 3 queued budget, launch 2.1
           budget starts=0                  | 3 queued slots, 3 launched, launch 3.1
      """)
  }

  @Test func `what has begun once is not put off, nor what is launched to test it`() {
    Scenario.play(
      """
      slots 4
      0s   budget starts=1                  |
           clock 0s                         |
           submit a refresh retries=1 every=5s | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           finished 1 exit=1                | 1 queued retry
      5s   deadline                         | 1 queued slots, 1 launched, launch 1.2
           finished 1.2 exit=1              | 1 ended failed
           submit b processing              | 2 submitted budget, accepted 2
           simulate launch 2                | 2 launched, done 2, launch 2.1
           finished 2 success               | 2 ended succeeded
           submit c processing              | 3 submitted budget, accepted 3
      """)
  }

  @Test func `a time of its own that is later stays`() {
    Scenario.play(
      """
      slots 4
      0s   budget starts=1                  |
           clock 0s                         |
           submit a refresh                 | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           submit b processing at=90000s    | 2 submitted notBefore, accepted 2
           submit c processing at=100s      | 3 submitted budget, accepted 3
           cancel 3                         | 3 ended cancelled user, done 3
           clock 90000s                     | 2 queued slots, 2 launched, launch 2.1
      """)
  }

  private let bundle = JobIdentifier("test")
  private let day = Interval.days(1)

  @Test func `what an earlier runner has started counts`() throws {
    let bundle = try #require(bundle)
    var configuration = Scheduler.Configuration(slots: 1)
    configuration.budget = Budget()
    configuration.budget?.starts = 96
    var core = Scheduler(configuration: configuration, firstNumber: JobNumber(1))
    let now = WallTime(milliseconds: 1_000_000_000)
    _ = core.handle(.timeOfDay(now), at: Instant(nanoseconds: 1))
    let uses = (0..<96).map { index in
      UsageRecord(
        bundle, from: now - .minutes(200 - UInt64(index)), to: now - .minutes(199 - UInt64(index)),
        processorTime: .seconds(1), .succeeded, nil)
    }
    _ = core.handle(.uses(uses), at: Instant(nanoseconds: 1))
    let allowance = core.allowance(of: bundle)
    #expect(allowance.starts == 96)
    #expect(allowance.processorTime == .seconds(96))
    #expect(allowance.until == now - .minutes(200) + day)
    #expect(allowance.why == "test has used its 96 starts per 24 h")
    #expect(core.allowance(of: bundle, at: now + day).until == nil)
    #expect(core.allowances == [allowance])
  }

  /// A task that fails once an hour is as late after a restart as without one.
  @Test func `the longest wait does not become shorter with a new runner`() throws {
    let bundle = try #require(bundle)
    let budget = Budget()
    var record: [UsageRecord] = []
    var now = WallTime(milliseconds: 0)
    for _ in 0..<30 {
      var core = Scheduler(configuration: .init(slots: 1), firstNumber: JobNumber(1))
      let instant = Instant(nanoseconds: 1)
      _ = core.handle(.budget(budget), at: instant)
      _ = core.handle(.timeOfDay(now), at: instant)
      _ = core.handle(.uses(record.filter { $0.endedAt + day > now }), at: instant)
      let start = core.allowance(of: bundle).until ?? now
      record.append(
        UsageRecord(
          bundle, from: start, to: start + .minutes(10), processorTime: .zero, .failed, nil))
      now = start + .minutes(10)
    }
    let last = record.suffix(10).map { $0.startedAt.milliseconds / 60_000 }
    for (earlier, later) in zip(last, last.dropFirst()) { #expect(later - earlier >= 130) }
  }

  @Test func `whoever has used more than can be counted waits`() throws {
    let bundle = try #require(bundle)
    var configuration = Scheduler.Configuration(slots: 1)
    configuration.budget = Budget()
    var core = Scheduler(configuration: configuration, firstNumber: JobNumber(1))
    let instant = Instant(nanoseconds: 1)
    let now = WallTime(milliseconds: 0) + .days(400)
    let most = Interval(nanoseconds: .max)
    let uses = [now - .minutes(40), now].map {
      UsageRecord(bundle, from: $0, to: $0, processorTime: most, .succeeded, nil)
    }
    _ = core.handle(.timeOfDay(now), at: instant)
    _ = core.handle(.uses(uses), at: instant)
    #expect(core.allowance(of: bundle).until == now + day)
  }

  @Test func `a clock that is set back makes no wait longer than it was`() throws {
    let bundle = try #require(bundle)
    var configuration = Scheduler.Configuration(slots: 1)
    configuration.budget = Budget()
    configuration.budget?.starts = 1
    var core = Scheduler(configuration: configuration, firstNumber: JobNumber(1))
    let instant = Instant(nanoseconds: 1)
    let late = WallTime(milliseconds: 0) + .days(400)
    _ = core.handle(.timeOfDay(late), at: instant)
    _ = core.handle(
      .uses([UsageRecord(bundle, from: late, to: late, processorTime: .zero, .succeeded, nil)]),
      at: instant)
    let early = late - .days(300)
    _ = core.handle(.timeOfDay(early), at: instant)
    #expect(core.allowance(of: bundle).until == early + day)
  }
}
