import JobCore
import SimulatedWorld
import Testing

/// Actions of people on waiting jobs: hold and release, move, edit.
@Suite struct SteeringTests {
  @Test func `a held job is passed, and released it stands where it stood`() {
    Scenario.play(
      """
      slots 1
      0s  submit a       | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b       | 2 submitted slots, accepted 2
          submit c       | 3 submitted slots, accepted 3
          submit d       | 4 submitted slots, accepted 4
          hold 2         | 2 held held, done 2
          hold 2         | done 2
          show 2         | queued held
          why 2          | on hold until jobrun release
          finished 1     | 1 ended succeeded, 3 launched, launch 3.1
          release 2      | 2 released slots, done 2
          queue          | 2 4
          release 2      | done 2
          finished 3     | 3 ended succeeded, 2 launched, launch 2.1
      """)
  }

  @Test func `a job that is held from the start waits also where a slot is free`() {
    Scenario.play(
      """
      0s  submit a held        | 1 submitted held, accepted 1
          submit b after=1     | 2 submitted after, accepted 2
          submit c held fail   | refused immediateRunIneligible
          said                 | it is to be held; submit with --strategy queue to wait
          release 1            | 1 released slots, 1 launched, done 1, launch 1.1
          finished 1           | 1 ended succeeded, 2 queued slots, 2 launched, launch 2.1
      """)
  }

  @Test func `what else a held job waits for goes on meanwhile`() {
    Scenario.play(
      """
      0s   clock 0s             |
           submit a             | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           submit b after=1     | 2 submitted after, accepted 2
           submit c at=10s      | 3 submitted notBefore, accepted 3
           hold 2               | 2 held held, done 2
           hold 3               | 3 held held, done 3
           finished 1           | 1 ended succeeded, 2 queued held
      20s  clock 20s            | 3 queued held
           release 2            | 2 released slots, 2 launched, done 2, launch 2.1
           release 3            | 3 released slots, 3 launched, done 3, launch 3.1
      """)
  }

  @Test func `an earlier runner's held job is held`() {
    Scenario.play(
      """
      0s  restore 1 a queued held   |
          restore 2 b queued        |
          deadline                  | 2 launched, launch 2.1
          show 1                    | queued held
          release 1                 | 1 released slots, 1 launched, done 1, launch 1.1
      """)
  }

  @Test func `jobs of one submission have its priority, and are held and released one by one`() {
    Scenario.play(
      """
      slots 1
      0s  submit a               | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b               | 2 submitted slots, accepted 2
          batch c count=2 high   | 3 submitted slots, 4 submitted slots, accepted 3 and 1 more
          batch d count=2 held   | 5 submitted held, 6 submitted held, accepted 5 and 1 more
          queue                  | 3 4 2 5 6
          release 6              | 6 released slots, done 6
          finished 1             | 1 ended succeeded, 3 launched, launch 3.1
      """)
  }

  @Test func `a paused runner starts nothing, and a held job waits on when it goes on`() {
    Scenario.play(
      """
      slots 2
      0s  submit a       | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          started 1      | 1 started
          submit b held  | 2 submitted held, accepted 2
          pause 2        | cannot pause 2
          said           | job 2 has not started, so there is nothing to pause; jobrun hold 2 keeps it from starting
          pause runner   |
          submit c       | 3 submitted paused, accepted 3
          why 2          | on hold until jobrun release
          resume runner  | 3 launched, launch 3.1
          why 2          | on hold until jobrun release
          pause runner   |
          release 2      | 2 released paused, done 2
          pause 1        | 1 paused, done 1, pause 1
          resume runner  | 2 launched, launch 2.1
      """)
  }

  @Test func `a paused job goes on before one of high priority starts`() {
    Scenario.play(
      """
      slots 1
      0s  submit a       | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          started 1      | 1 started
          submit b       | 2 submitted slots, accepted 2
          pause 1        | 1 paused, 2 launched, done 1, pause 1, launch 2.1
          submit c high  | 3 submitted slots, accepted 3
          resume 1       | 1 paused until slots, done 1
          finished 2     | 2 ended succeeded, 1 resumed, resume 1
      """)
  }

  @Test func `only what waits is held, released, moved or edited`() {
    Scenario.play(
      """
      0s  submit a             | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          hold 1               | refused notWaiting
          said                 | job 1 has already started; only a waiting job can be held
          release 1            | refused notWaiting
          move 1 first         | refused notWaiting
          edit 1 priority=low  | refused notWaiting
          said                 | job 1 has already started; only a waiting job can be edited
          hold 7               | not live 7
          edit 7 title=x       | not live 7
      """)
  }

  @Test func `a job is moved to the front, or behind another one`() {
    Scenario.play(
      """
      slots 1
      0s  submit a         | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b         | 2 submitted slots, accepted 2
          submit c         | 3 submitted slots, accepted 3
          submit d         | 4 submitted slots, accepted 4
          submit e high    | 5 submitted slots, accepted 5
          move 4 first     | 4 moved slots, done 4
          queue            | 5 4 2 3
          move 4 first     | done 4
          move 2 after 3   | 2 moved slots, done 2
          queue            | 5 4 3 2
      """)
  }

  @Test func `a place that makes no sense is refused with what would be right`() {
    Scenario.play(
      """
      slots 1
      0s  submit a         | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b         | 2 submitted slots, accepted 2
          submit c high    | 3 submitted slots, accepted 3
          move 2 after 2   | refused usage
          said             | job 2 cannot be moved behind itself; name another waiting job
          move 2 after 1   | refused notWaiting
          said             | job 1 has begun; job 2 can be moved behind a waiting job, or to the front
          move 2 after 3   | refused usage
          said             | job 2 has priority normal, and job 3 high; jobs are moved among those of
                           | their own priority, which jobrun edit 2 --priority high changes
          move 2 after 9   | not live 9
      """)
  }

  /// Hundreds of jobs behind the same one: the room between two neighbours is made as often as needed.
  @Test func `any number of jobs find room behind the same one, and later ones stay behind them`()
    throws
  {
    var core = Scheduler(configuration: .init(slots: 1), firstNumber: JobNumber(1))
    let now = Instant(nanoseconds: 1)
    func submit(_ value: UInt64) throws {
      let submission = Submission(
        key: "\(value)", identifier: try #require(JobIdentifier("test.\(value)")), speaksPage: true)
      _ = core.handle(.submit(RequestTag(value), submission), at: now)
    }
    for value in UInt64(1)...302 { try submit(value) }
    var order = (2...302).map { JobNumber($0) }
    for value in UInt64(3)...302 {
      _ = core.handle(.move(RequestTag(1), JobNumber(value), behind: JobNumber(2)), at: now)
      order.removeAll { $0.value == value }
      order.insert(JobNumber(value), at: 1)
    }
    #expect(core.queuedNumbers == order)
    // At the end, too, where only the next job's place bounds the room.
    let last = try #require(order.last)
    for number in order.dropFirst().dropLast() {
      _ = core.handle(.move(RequestTag(1), number, behind: last), at: now)
    }
    order = [order[0], last] + order.dropFirst().dropLast().reversed()
    #expect(core.queuedNumbers == order)
    try submit(303)
    #expect(core.queuedNumbers == order + [JobNumber(303)])
    #expect(core.violatedInvariants.isEmpty)
  }

  @Test func `an edited job waits for what is asked of it now`() {
    Scenario.play(
      """
      slots 1
      0s  clock 0s               |
          submit a               | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b               | 2 submitted slots, accepted 2
          submit c               | 3 submitted slots, accepted 3
          edit 3 priority=high   | 3 edited slots, done 3
          queue                  | 3 2
          edit 3 title=Trip      | 3 edited slots, done 3
          edit 3 after=1+2       | 3 edited after, done 3
          why 3                  | waits for jobs 1 and 2 to succeed
          edit 2 at=60s          | 2 edited notBefore, done 2
          finished 1             | 1 ended succeeded
          edit 3 after=none      | 3 edited slots, 3 launched, done 3, launch 3.1
          edit 2 soon            | 2 edited slots, done 2
          finished 3             | 3 ended succeeded, 2 launched, launch 2.1
      """)
  }

  @Test func `an edit by which jobs would wait for themselves or in vain is refused`() {
    Scenario.play(
      """
      slots 1
      0s  submit a                | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b after=1        | 2 submitted after, accepted 2
          submit c after=2        | 3 submitted after, accepted 3
          edit 2 after=2          | refused usage
          said                    | job 2 cannot come after itself; name other jobs
          edit 2 after=3          | refused usage
          said                    | job 2 cannot come after job 3, which waits for it itself
          edit 2 after=9:failed   | refused unavailable
          said                    | job 9, which it depends on, failed
          finished 1              | 1 ended succeeded, 2 queued slots, 2 launched, launch 2.1
      """)
  }

  @Test func `what a retry is to come after is waited for, by the next runner, too`() {
    Scenario.play(
      """
      0s  submit a retries=2     | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b               | 2 submitted slots, 2 launched, accepted 2, launch 2.1
          finished 1 exit=1      | 1 queued retry
          edit 1 after=2         | 1 edited retry, done 1
      1s  deadline               | 1 queued after
          finished 2             | 2 ended succeeded, 1 queued slots, 1 launched, launch 1.2
      """)
    Scenario.play(
      """
      0s  restore 1 a delayed until=1s after=2 attempt=2  |
          restore 2 b running                             |
      1s  deadline                                        | 1 queued after
          finished 2                                      | 2 ended succeeded, 1 queued slots, 1 launched, launch 1.2
      """)
  }

  @Test func `a retry keeps its priority, and no time to wait for`() {
    Scenario.play(
      """
      slots 1
      0s  clock 0s               |
          submit a retries=2     | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b               | 2 submitted slots, accepted 2
          finished 1 exit=1      | 1 queued retry, 2 launched, launch 2.1
          submit c               | 3 submitted slots, accepted 3
          edit 1 at=60s          | refused usage
          said                   | job 1 has run before; --not-before is for jobs that have not
          edit 1 priority=low    | 1 edited retry, done 1
      1s  deadline               | 1 queued slots
          queue                  | 3 1
      """)
  }
}
