import JobCore
import Testing

/// Many submissions in one.
@Suite struct BatchTests {
  @Test func `all are accepted, in their order, and those with a slot begin`() {
    Scenario.play(
      """
      slots 2
      0s  batch a count=4 | 1 submitted slots, 1 launched, 2 submitted slots, 2 launched,
                          | 3 submitted slots, 4 submitted slots, accepted 1 and 3 more,
                          | launch 1.1, launch 2.1
          why 3           | both slots are taken by jobs 1 and 2
          show 4          | queued slots #2
      1s  finished 1      | 1 ended succeeded, 3 launched, launch 3.1
          submit b        | 5 submitted slots, accepted 5
      """)
  }

  @Test func `asked once more, they are the same jobs, as long as the first lives`() {
    Scenario.play(
      """
      slots 1
      0s  batch a key=x count=2 | 1 submitted slots, 1 launched, 2 submitted slots,
                                | accepted 1 and 1 more, launch 1.1
          batch a key=x count=2 | duplicate 1 and 1 more
      """)
  }

  @Test func `they are cancelled together, what waits first, and no others`() {
    Scenario.play(
      """
      slots 2
      0s  submit a          | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          batch b count=3   | 2 submitted slots, 2 launched, 3 submitted slots, 4 submitted slots,
                            | accepted 2 and 2 more, launch 2.1
          submit c          | 5 submitted slots, accepted 5
          started 2         | 2 started
          cancel 2 count=3  | 4 ended cancelled user, 3 ended cancelled user, 2 stopping user by 10s,
                            | cancelled 2 3 4, stop 2 user by 10s
          finished 2 signal=15 | 2 ended cancelled user, 5 launched, launch 5.1
      """)
  }

  @Test func `none is accepted where one has the identifier of a live job`() {
    Scenario.play(
      """
      slots 1
      0s  submit a.3      | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          batch a count=4 | refused alreadyRunning
          said            | job 1 has the identifier test.a.3 and has not ended; none of the 4 jobs is accepted
          queue           |
          submit b        | 2 submitted slots, accepted 2
      """)
  }

  @Test func `none is accepted when that were more than may wait`() {
    var configuration = Scheduler.Configuration(slots: 1)
    configuration.queueLimit = 10
    var core = Scheduler(configuration: configuration, firstNumber: JobNumber(1))
    func batch(_ name: String, _ count: Int) throws -> Event {
      let identifier = try #require(JobIdentifier(name))
      let stem = Submission(key: name, identifier: identifier, speaksPage: false)
      return .batch(RequestTag(1), Batch(stem, count: count))
    }
    func reply(_ effects: [Effect]) -> Reply? {
      for case .reply(_, let reply) in effects { return reply }
      return nil
    }
    let now = Instant(nanoseconds: 0)
    #expect(
      throws: Never.self,
      performing: {
        #expect(
          reply(core.handle(try batch("a", 6), at: now))
            == .acceptedMany(first: JobNumber(1), count: 6))
        guard case .refused(let refusal)? = reply(core.handle(try batch("b", 6), at: now)) else {
          Issue.record("eleven may not wait")
          return
        }
        #expect(refusal.code == .unavailable)
        #expect(
          refusal.message
            == "5 jobs are waiting, and with these 6 it would be more than 10, which is the limit;"
            + " none of them is accepted")
        #expect(core.liveNumbers.count == 6)
        #expect(core.violatedInvariants.isEmpty)
      })
  }

  @Test func `all wait for what the one submission comes after, and fall with it`() {
    Scenario.play(
      """
      slots 4
      0s  submit a                 | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          batch b count=2 after=1  | 2 submitted after, 3 submitted after, accepted 2 and 1 more
          finished 1 exit=1        | 1 ended failed, 2 ended refused dependency, 3 ended refused dependency
      """)
  }
}
