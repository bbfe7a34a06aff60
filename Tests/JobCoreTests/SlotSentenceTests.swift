import JobCore
import SimulatedWorld
import Testing

/// The message of waiting jobs about the slot holders.
@Suite struct SlotSentenceTests {
  @Test func `three holders are named, and the others counted`() {
    Scenario.play(
      """
      slots 5
      0s submit a   | 1 submitted slots, 1 launched, accepted 1, launch 1.1
         submit b   | 2 submitted slots, 2 launched, accepted 2, launch 2.1
         submit c   | 3 submitted slots, 3 launched, accepted 3, launch 3.1
         submit d   | 4 submitted slots, 4 launched, accepted 4, launch 4.1
         submit e   | 5 submitted slots, 5 launched, accepted 5, launch 5.1
         submit f   | 6 submitted slots, accepted 6
         why 6      | all 5 slots are taken by jobs 1, 2, 3 and 2 others
         submit g   | 7 submitted slots, accepted 7
      1s finished 2 | 2 ended succeeded, 6 launched, launch 6.1
         why 7      | all 5 slots are taken by jobs 1, 3, 4 and 2 others
      """)
  }

  @Test func `a holder that has ended for people is named in its turn`() {
    Scenario.play(
      """
      slots 2
      0s   submit a          | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           submit b hosted   | 2 submitted slots, 2 launched, accepted 2, launch 2.1
           started 2         | 2 started
           submit c          | 3 submitted slots, accepted 3
           submit d          | 4 submitted slots, accepted 4
      5s   cancel 2          | 2 stopping user by 15s, done 2, stop 2 user by 15s
      15s  deadline          | kill 2
           finished 2 outlives | 2 ended cancelled user
           finished 1        | 1 ended succeeded, 3 launched, launch 3.1
           why 4             | both slots are taken by jobs 2 and 3
      """)
  }

  @Test func `a reason says who held the slots when it was announced, whenever it is read`() throws
  {
    var core = Scheduler(configuration: .init(slots: 1), firstNumber: JobNumber(1))
    let now = Instant(nanoseconds: 0)
    _ = core.handle(.submit(RequestTag(1), try submission("a")), at: now)
    let announced = try reason(core.handle(.submit(RequestTag(2), try submission("b")), at: now))
    let same = try reason(core.handle(.submit(RequestTag(3), try submission("c")), at: now))
    let end = RunEnd(status: .exited(0))
    _ = core.handle(.finished(JobNumber(1), attempt: 1, end), at: now)
    let later = try reason(core.handle(.submit(RequestTag(4), try submission("d")), at: now))
    #expect(announced.message == "the only slot is taken by job 1")
    #expect(later.message == "the only slot is taken by job 2")
    #expect(announced == same)
    #expect(announced != later)
    #expect(announced == PendingReason(.slots, "the only slot is taken by job 1"))
    #expect(Set([announced, same, later]).count == 2)
  }

  private func submission(_ name: String) throws -> Submission {
    let identifier = try #require(JobIdentifier("io.example.\(name)"))
    return Submission(key: name, identifier: identifier, speaksPage: false)
  }

  /// Why the job that was just submitted waits.
  private func reason(_ effects: [Effect]) throws -> PendingReason {
    let reasons = effects.compactMap { effect -> PendingReason? in
      guard case .announce(_, let announcement) = effect,
        case .queued(let reason) = announcement.state
      else { return nil }
      return reason
    }
    return try #require(reasons.last)
  }
}
