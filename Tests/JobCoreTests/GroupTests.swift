import JobCore
import TestKit
import Testing

/// Jobs that share slots of their own.
@Suite struct GroupTests {
  @Test func `jobs of a group wait for its slots, and for no others`() {
    Scenario.play(
      """
      slots 1
      0s  group render slots=1      |
          submit a                  | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b group=render     | 2 submitted slots, 2 launched, accepted 2, launch 2.1
          submit c group=render     | 3 submitted slots, accepted 3
          submit d                  | 4 submitted slots, accepted 4
          why 3                     | the only slot of group render is taken by job 2
          why 4                     | the only slot is taken by job 1
          show 4                    | queued slots #1
      1s  finished 1                | 1 ended succeeded, 4 launched, launch 4.1
      2s  finished 2                | 2 ended succeeded, 3 launched, launch 3.1
      """)
  }

  @Test func `a group that nobody made has the usual slots`() {
    Scenario.play(
      """
      slots 2
      0s  batch a count=3 group=new | 1 submitted slots, 1 launched, 2 submitted slots, 2 launched,
                                    | 3 submitted slots, accepted 1 and 2 more, launch 1.1, launch 2.1
          submit b                  | 4 submitted slots, 4 launched, accepted 4, launch 4.1
          why 3                     | both slots of group new are taken by jobs 1 and 2
      """)
  }

  @Test func `more slots of a group start what waits for them, fewer take nothing away`() {
    Scenario.play(
      """
      slots 4
      0s  group render slots=1      |
          batch a count=4 group=render | 1 submitted slots, 1 launched, 2 submitted slots,
                                    | 3 submitted slots, 4 submitted slots, accepted 1 and 3 more,
                                    | launch 1.1
          group render slots=3      | 2 launched, 3 launched, launch 2.1, launch 3.1
          group render slots=1      |
          finished 1                | 1 ended succeeded
          finished 2                | 2 ended succeeded
          finished 3                | 3 ended succeeded, 4 launched, launch 4.1
      """)
  }

  @Test func `what all groups share is given in the order of all jobs`() {
    Scenario.play(
      """
      slots 2
      0s  machine gpus=1            |
          submit a gpu              | 1 submitted slots, 1 launched, accepted 1, launch 1.1 on 0
          submit b gpu group=render | 2 submitted gpu, accepted 2
          submit c gpu              | 3 submitted gpu, accepted 3
          submit d group=render     | 4 submitted slots, 4 launched, accepted 4, launch 4.1
      """)
  }

  @Test func `a job that starts now or never looks at its own group only`() {
    Scenario.play(
      """
      slots 1
      0s  submit a                  | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b fail             | refused immediateRunIneligible
          submit c fail group=x     | 2 submitted slots, 2 launched, accepted 2, launch 2.1
          submit d fail group=x     | refused immediateRunIneligible
          said                      | the only slot of group x is taken by job 2; submit with --strategy queue to wait
      """)
  }

  @Test func `what a bundle may have it may have in all groups together`() {
    Scenario.play(
      """
      slots 2
      0s  group render slots=1          |
          settings test slots=1         |
          submit a of=test              | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b of=test group=render | 2 submitted slots, accepted 2
          why 2                         | the only slot that test may have is taken (jobrun settings)
          submit c group=render         | 3 submitted slots, 3 launched, accepted 3, launch 3.1
          submit d of=test group=render | 4 submitted slots, accepted 4
      1s  finished 1                    | 1 ended succeeded
      2s  finished 3                    | 3 ended succeeded, 2 launched, launch 2.1
          finished 2                    | 2 ended succeeded, 4 launched, launch 4.1
      """)
  }

  @Test func `a full group blocks nobody of another one`() {
    Scenario.play(
      """
      slots 3
      0s  machine gpus=2            |
          group render slots=1      |
          submit a group=render     | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b gpu              | 2 submitted slots, 2 launched, accepted 2, launch 2.1 on 0
          submit c gpu=2 group=render | 3 submitted gpu, accepted 3
          submit d gpu              | 4 submitted slots, 4 launched, accepted 4, launch 4.1 on 1
      # Its turn comes with its slot: from then on it holds back who needs a GPU and stands behind it.
          submit e gpu              | 5 submitted gpu, accepted 5
      1s  finished 1                | 1 ended succeeded
          finished 2                | 2 ended succeeded
          why 5                     | job 3 is ahead and also waits for a GPU
          finished 4                | 4 ended succeeded, 3 launched, launch 3.1 on 0+1
      """)
  }

  @Test func `priorities are within a group, and what it shares with others counts`() {
    Scenario.play(
      """
      slots 1 overtakings 1
      0s    group render slots=1         |
            submit a group=render        | 1 submitted slots, 1 launched, accepted 1, launch 1.1
            submit b low group=render    | 2 submitted slots, accepted 2
            submit c high                | 3 submitted slots, 3 launched, accepted 3, launch 3.1
            submit d high                | 4 submitted slots, accepted 4
            submit e high group=render   | 5 submitted slots, accepted 5
      # None of the others took the place of job 2, however many were started.
      9000s finished 3                   | 3 ended succeeded, 4 launched, launch 4.1
            why 2                        | the only slot of group render is taken by job 1; 1 of a higher priority goes first
            finished 1                   | 1 ended succeeded, 5 launched, launch 5.1
            submit f high group=render   | 6 submitted slots, accepted 6
            finished 5                   | 5 ended succeeded, 2 launched, launch 2.1
      """)
  }

  @Test func `a group is paused, resumed and cancelled as one`() {
    Scenario.play(
      """
      slots 2
      0s  group render slots=2      |
          submit a group=render     | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b                  | 2 submitted slots, 2 launched, accepted 2, launch 2.1
          started 1                 | 1 started
          started 2                 | 2 started
          pause group:render        | 1 paused, changed 1, pause 1
          resume group:render       | 1 resumed, changed 1, resume 1
          batch c count=2 group=render | 3 submitted slots, 3 launched, 4 submitted slots,
                                    | accepted 3 and 1 more, launch 3.1
          cancel group:render       | 4 ended cancelled user, 1 stopping user by 10s, 3 stopping user by 10s, cancelled 1 3 4, stop 1 user by 10s, stop 3 user by 10s
      """)
  }

  @Test
  func `more groups than there is room for are refused, and room comes with the last job of one`()
    throws
  {
    var core = Scheduler(configuration: .init(slots: 1), firstNumber: JobNumber(1))
    let now = Instant(nanoseconds: 1)
    func submit(_ index: Int) throws -> Reply? {
      var submission = Submission(
        key: "\(index)", identifier: try #require(JobIdentifier("test.\(index)")), speaksPage: true)
      submission.options.group = GroupName("g\(index)")
      for case .reply(_, let reply) in core.handle(
        .submit(RequestTag(UInt64(index)), submission), at: now)
      {
        return reply
      }
      return nil
    }
    for index in 1...100 { #expect(try submit(index) == .accepted(JobNumber(UInt64(index)))) }
    guard case .refused(let refusal)? = try submit(101) else {
      Issue.record("the hundred and first group was accepted")
      return
    }
    #expect(refusal.code == .tooManyPendingTaskRequests)
    #expect(refusal.message.contains("100 groups have jobs, which is the limit"))
    _ = core.handle(
      .finished(JobNumber(7), attempt: 1, RunEnd(status: .exited(0))), at: now)
    #expect(try submit(101) == .accepted(JobNumber(101)))
    // The limit leaves no lane for the group of the ended one now.
    var again = Submission(
      key: "7", identifier: try #require(JobIdentifier("test.7")), speaksPage: true)
    again.options.group = GroupName("g7")
    let effects = core.handle(
      .redo(RequestTag(200), JobNumber(7), again, attempt: 2, isForced: false), at: now)
    guard case .reply(_, .refused(let late))? = effects.last else {
      Issue.record("a hundred and first group came with a redo: \(effects)")
      return
    }
    #expect(late.message.contains("100 groups have jobs, which is the limit"))
    #expect(core.violatedInvariants.isEmpty)
  }

  /// In any order of submissions, ends, retries, pauses and changes of other groups.
  @Test func `four jobs of a group with one slot never overlap, a thousand times`() throws {
    let group = try #require(GroupName("one"))
    for seed in 0..<1_000 as Range<UInt64> {
      var dice = SeededGenerator(seed: seed)
      var core = Scheduler(
        configuration: .init(slots: Int.random(in: 1...3, using: &dice)), firstNumber: JobNumber(1))
      var now = Instant(nanoseconds: 1_000_000_000)
      _ = core.handle(.groups([group: 1]), at: now)
      var members: Set<JobNumber> = []
      var ended = 0
      var made: UInt64 = 0
      while ended < 4 {
        now = now + .milliseconds(UInt64.random(in: 0...5_000, using: &dice))
        let event: Event
        let active = core.liveNumbers.filter { core.snapshot($0)?.holdsSlot ?? false }
        if made < 8, active.isEmpty || Bool.random(using: &dice) {
          made += 1
          var submission = Submission(
            key: "\(made)", identifier: try #require(JobIdentifier("test.\(made)")),
            speaksPage: true)
          submission.options.priority =
            Submission.Priority.allCases.randomElement(using: &dice) ?? .normal
          if made % 2 == 0 {
            submission.options.group = group
            members.insert(JobNumber(made))
          }
          event = .submit(RequestTag(made), submission)
        } else if let number = active.randomElement(using: &dice),
          let snapshot = core.snapshot(number)
        {
          if members.contains(number) { ended += 1 }
          event = .finished(number, attempt: snapshot.attempt, RunEnd(status: .exited(0)))
        } else {
          event = .deadline
        }
        _ = core.handle(event, at: now)
        let together = members.filter { core.snapshot($0)?.holdsSlot ?? false }
        #expect(together.count <= 1, "seed \(seed): jobs \(together.sorted()) run together")
        #expect(core.violatedInvariants.isEmpty, "seed \(seed): \(core.violatedInvariants)")
      }
    }
  }

  @Test(arguments: ["", "a b", ".a", "a..b", String(repeating: "x", count: 65)])
  func `what is no name is none`(text: String) {
    #expect(GroupName(text) == nil)
    #expect(GroupName("render-2.gpu_1")?.text == "render-2.gpu_1")
  }
}
