import JobCore
import Testing

/// The rules for notices.
@Suite struct NoticeTests {
  private let rules = NoticeRules(after: .seconds(10))

  private func end(
    _ outcome: Outcome, after seconds: UInt64 = 60, because reason: StopReason.Code? = nil
  ) -> NoticeRules.Occasion {
    var occasion = NoticeRules.Occasion(.ended)
    occasion.outcome = outcome
    occasion.stopReason = reason
    occasion.lasted = .seconds(seconds)
    return occasion
  }

  @Test func `a question is told of unless somebody watches`() {
    var occasion = NoticeRules.Occasion(.prompt)
    #expect(rules.notice(of: occasion) == .question)
    occasion.isWatched = true
    #expect(rules.notice(of: occasion) == nil)
  }

  @Test(arguments: [Announcement.Kind.answered, .stopping])
  func `a question that is over is taken back`(kind: Announcement.Kind) {
    #expect(rules.notice(of: NoticeRules.Occasion(kind)) == .takenBack)
    #expect(NoticeRules.mayTell(of: kind))
  }

  @Test(arguments: [
    Announcement.Kind.submitted, .queued, .launched, .started, .stalled, .advanced, .warned,
  ])
  func `all else on the way is not told`(kind: Announcement.Kind) {
    var occasion = NoticeRules.Occasion(kind)
    occasion.lasted = .minutes(60)
    #expect(rules.notice(of: occasion) == nil)
    #expect(!rules.runsCommand(after: occasion))
    #expect(!NoticeRules.mayTell(of: kind))
  }

  @Test(
    arguments: [
      (Outcome.succeeded, nil, NoticeRules.Urgency.normal),
      (.failed, nil, .critical), (.expired, .silent, .critical), (.expired, .limit, .critical),
      (.expired, .requirementLost, .critical), (.interrupted, .supervisorLost, .critical),
      (.interrupted, .reboot, .critical), (.refused, nil, .critical),
    ] as [(Outcome, StopReason.Code?, NoticeRules.Urgency)])
  func `an end that nobody watched is told`(
    outcome: Outcome, reason: StopReason.Code?, urgency: NoticeRules.Urgency
  ) {
    var occasion = end(outcome, because: reason)
    #expect(rules.notice(of: occasion) == .end(urgency))
    occasion.isWatched = true
    #expect(rules.notice(of: occasion) == .takenBack)
  }

  @Test(
    arguments: [
      (Outcome.cancelled, .user), (.cancelled, .superseded), (.interrupted, .runnerStop),
      (.expired, .stallDeclined), (.refused, .dependency),
    ] as [(Outcome, StopReason.Code)])
  func `what a person has just done is not told to them`(
    outcome: Outcome, reason: StopReason.Code
  ) {
    #expect(rules.notice(of: end(outcome, because: reason)) == .takenBack)
  }

  @Test func `a stall that stops a job without being asked about is told`() {
    var occasion = end(.expired, because: .stallDeclined)
    occasion.onStall = .stop
    #expect(rules.notice(of: occasion) == .end(.critical))
  }

  @Test func `short jobs do not nag`() {
    var occasion = end(.failed, after: 10)
    #expect(rules.notice(of: occasion) == .end(.critical))
    occasion.lasted = Interval(nanoseconds: occasion.lasted.nanoseconds - 1)
    #expect(rules.notice(of: occasion) == .takenBack)
    #expect(NoticeRules(after: .zero).notice(of: end(.failed, after: 0)) == .end(.critical))
  }

  @Test func `maintenance is heard of only when it fails`() {
    var occasion = end(.succeeded)
    occasion.isScheduled = true
    #expect(rules.notice(of: occasion) == .takenBack)
    occasion.outcome = .failed
    #expect(rules.notice(of: occasion) == .end(.critical))
  }

  @Test func `the command for all jobs follows every end that was long in coming`() {
    var occasion = end(.cancelled, because: .user)
    occasion.isWatched = true
    #expect(rules.runsCommand(after: occasion))
    occasion.lasted = .seconds(9)
    #expect(!rules.runsCommand(after: occasion))
  }
}
