import JobCore
import JobPage
import JobWire
import Testing

@testable import jobrun

/// An attached job at one instant.
private final class Terminal {
  private var attached: AttachedJob

  init(_ job: JobStatus, steers: Bool, estimates: Bool = true) {
    attached = AttachedJob(job, steers: steers)
    attached.estimates = estimates
  }

  @discardableResult
  func handle(_ event: AttachedJob.Event, after span: Interval = .zero) -> [AttachedJob.Effect] {
    attached.handle(event, at: moment(span))
  }

  var model: JobViewModel { model() }

  func model(after span: Interval = .zero) -> JobViewModel { attached.model(at: moment(span)) }

  private func moment(_ span: Interval) -> Moment {
    Sample.now.later(by: span)
  }
}

/// What keys, signals and lines bring about.
struct AttachedJobTests {
  private let reference = JobReference.number(JobNumber(12))

  private func attachment(_ state: JobStatus.State = .running) -> Terminal {
    Terminal(Sample.job(state), steers: true)
  }

  private func stalled() -> Terminal {
    var job = Sample.job(.stalled)
    job.prompt = JobStatus.Prompt(question: "?", since: Sample.now.wall)
    return Terminal(job, steers: true)
  }

  @Test func `Ctrl-C asks for the end at once and says so, the second one kills`() {
    let attachment = attachment()
    let first = attachment.handle(.interrupt)
    #expect(first.first == .ask(.cancel(.one(reference), now: false)))
    #expect(first.count == 2)
    let second = attachment.handle(.interrupt)
    #expect(second.first == .ask(.cancel(.one(reference), now: true)))
    let third = attachment.handle(.interrupt)
    #expect(third == [.ask(.cancel(.one(reference), now: true))])
  }

  @Test func `p pauses the job or lets it go on; one that waits for its slot stays paused`() {
    #expect(attachment().handle(.key(0x70)) == [.ask(.pause(.one(reference), keepSlot: false))])
    #expect(attachment(.paused).handle(.key(0x70)) == [.ask(.resume(.one(reference)))])
    var job = Sample.job(.paused)
    job.pendingReason = PendingReason(.slots, "the only slot is taken by job 3")
    #expect(
      Terminal(job, steers: true).handle(.key(0x70))
        == [.ask(.pause(.one(reference), keepSlot: false))])
    #expect(Terminal(job, steers: false).handle(.key(0x70)) == [])
  }

  @Test func `Ctrl-C cancels a job that is paused, too`() {
    let first = attachment(.paused).handle(.interrupt)
    #expect(first.first == .ask(.cancel(.one(reference), now: false)))
  }

  @Test func `its clock stands still while it is paused, and pauses do not count`() {
    var job = Sample.job(.running)
    job.started = Sample.now.wall
    job.paused = JobStatus.Paused(since: nil, seconds: 20)
    #expect(Terminal(job, steers: true).model(after: .seconds(50)).elapsed == .seconds(30))
    job.state = .paused
    job.paused?.since = Sample.now.later(by: .seconds(40)).wall
    #expect(Terminal(job, steers: true).model(after: .seconds(90)).elapsed == .seconds(20))
  }

  @Test func `a page that stands still says how long, unless the job said that it would`() {
    let attachment = attachment()
    var page = PageSnapshot()
    page.total = 100
    for second in 0...10 as ClosedRange<UInt64> {
      page.completed = second
      attachment.handle(.page(page), after: .seconds(second))
    }
    #expect(attachment.model(after: .seconds(13)).unchanged == nil)
    #expect(attachment.model(after: .seconds(52)).unchanged == .seconds(42))
    page.quietUntil = (Sample.now.awake + .seconds(60)).nanoseconds
    attachment.handle(.page(page), after: .seconds(53))
    #expect(attachment.model(after: .seconds(54)).unchanged == nil)
    #expect(attachment.model(after: .seconds(61)).unchanged == .seconds(51))
    page.completed = 100
    attachment.handle(.page(page), after: .seconds(62))
    #expect(attachment.model(after: .seconds(99)).unchanged == nil)
  }

  @Test func `the runner is asked how long it takes when the page moves, once a second`() {
    let attachment = attachment()
    var page = PageSnapshot()
    page.total = 100
    var asked: [UInt64] = []
    for tick in 0...30 as ClosedRange<UInt64> {
      page.completed = tick
      let effects = attachment.handle(.page(page), after: .milliseconds(tick * 100))
      if effects == [.ask(.show(reference))] { asked.append(tick) }
    }
    #expect(asked == [0, 10, 20, 30])
    // One that looks only asks nothing.
    let reader = Terminal(Sample.job(), steers: false, estimates: false)
    #expect(reader.handle(.page(page)).isEmpty)
  }

  @Test func `what the runner said counts down, and is asked for more seldom the later a step is`()
  {
    let attachment = attachment()
    var job = Sample.job()
    job.progress = JobProgress(completed: 4, total: 8, eta: 60)
    job.progress?.changed = Sample.now.wall
    job.progress?.interval = 15
    attachment.handle(.answered(job))
    var page = PageSnapshot()
    page.total = 8
    page.completed = 4
    var asked: [UInt64] = []
    for second in 0...120 as ClosedRange<UInt64> {
      let effects = attachment.handle(.page(page), after: .seconds(second))
      if effects == [.ask(.show(reference))] { asked.append(second) }
    }
    #expect(asked == [16, 17, 18, 19, 21, 23, 26, 30, 35, 42, 51, 63, 79, 101])
    #expect(attachment.model(after: .seconds(10)).remaining == .seconds(50))
    #expect(attachment.model(after: .seconds(40)).remaining == .seconds(46))
    #expect(attachment.model(after: .seconds(30)).unchanged == nil)
    #expect(attachment.model(after: .seconds(31)).unchanged == .seconds(31))
  }

  @Test func `Ctrl-C while the runner is lost is not forgotten`() {
    let attachment = attachment()
    attachment.handle(.lost)
    let effects = attachment.handle(.interrupt)
    #expect(!effects.contains(.ask(.cancel(.one(reference), now: false))))
    #expect(
      attachment.handle(.connected) == [
        .ask(.follow([reference], attach: true)), .ask(.cancel(.one(reference), now: false)),
      ])
  }

  @Test(arguments: [
    AttachedJob.Event.leave, .key(UInt8(ascii: "d")), .key(UInt8(ascii: "D")),
  ])
  func `leaving says that the job goes on and exits with 122`(event: AttachedJob.Event) {
    let attachment = attachment()
    #expect(
      attachment.handle(event) == [
        .say("job 12 keeps running; watch it with jobrun attach 12"), .finish(122),
      ])
  }

  @Test func `y and n answer only a question`() {
    let calm = attachment()
    #expect(calm.handle(.key(UInt8(ascii: "y"))).isEmpty)
    #expect(calm.handle(.key(UInt8(ascii: "n"))).isEmpty)
    let stalled = stalled()
    #expect(
      stalled.handle(.key(UInt8(ascii: "y"))).last
        == .ask(.answer(reference, continues: true)))
    #expect(
      stalled.handle(.key(UInt8(ascii: "n"))).last
        == .ask(.answer(reference, continues: false)))
    #expect(stalled.handle(.key(UInt8(ascii: "x"))).isEmpty)
  }

  @Test func `who only looks neither cancels nor answers`() {
    let attachment = Terminal(Sample.job(), steers: false)
    #expect(attachment.handle(.interrupt).last == .finish(122))
    #expect(attachment.handle(.key(UInt8(ascii: "n"))).isEmpty)
    #expect(
      attachment.handle(.connected) == [
        .ask(.follow([reference], attach: false))
      ])
  }

  @Test func `another terminal is mentioned once`() {
    var job = Sample.job()
    job.attached = 2
    let attachment = attachment()
    #expect(
      attachment.handle(.feed(.snapshot(job)))
        == [.say("another terminal is also attached to job 12")])
    #expect(attachment.handle(.feed(.progress(job))).isEmpty)
  }

  @Test func `a job that is no longer known ends the watching with 66`() {
    let attachment = attachment()
    let follow = Request.follow([reference], attach: true)
    let error = WireError(.notFound, "there is no job 12")
    #expect(
      attachment.handle(.refused(error, of: follow)) == [
        .say("there is no job 12"), .finish(66),
      ])
    let cancel = Request.cancel(.one(reference), now: false)
    #expect(
      attachment.handle(.refused(error, of: cancel))
        == [.say("there is no job 12")])
  }

  @Test func `the page moves the line without any message`() {
    let attachment = attachment()
    var page = PageSnapshot()
    page.completed = 40
    page.total = 100
    page.unit = .bytes
    page.subtitle = "a.jpg"
    page.textSequence = 2
    page.stop = PageStop(reason: 1, deadline: Sample.now.awake.nanoseconds + 9_000_000_000)
    attachment.handle(.page(page))
    let model = attachment.model
    #expect(model.completed == 40)
    #expect(model.job.progress?.unit == .bytes)
    #expect(model.job.subtitle == "a.jpg")
    #expect(model.grace == .seconds(9))
  }

  @Test func `a page of garbage changes nothing`() {
    let attachment = attachment()
    var page = PageSnapshot()
    page.condition = .garbage
    page.completed = 9
    attachment.handle(.page(page))
    #expect(attachment.model.job.progress == nil)
  }

  @Test func `lines of other jobs are not ours`() {
    let attachment = attachment()
    var other = Sample.ended(.succeeded)
    other.number = JobNumber(13)
    #expect(attachment.handle(.feed(.snapshot(other))).isEmpty)
  }
}

/// What `jobrun wait` answers with.
struct WaitResultTests {
  private func job(_ number: UInt64, _ outcome: Outcome?) -> JobStatus {
    var job = Sample.job(outcome == nil ? .running : .ended)
    job.number = JobNumber(number)
    job.outcome = outcome
    return job
  }

  @Test func `the first code that is not 0 wins, in the order of the names`() {
    var pending = WaitResult(isAny: false)
    for number in [3, 4, 5] as [UInt64] { pending.add(job(number, nil)) }
    let ends: [(UInt64, Outcome)] = [
      (5, .expired), (4, .cancelled), (4, .cancelled), (9, .failed), (3, .succeeded),
    ]
    var codes: [Int32?] = []
    var taken: [Bool] = []
    for (number, outcome) in ends {
      taken.append(pending.end(job(number, outcome)))
      codes.append(pending.code)
    }
    #expect(taken == [true, true, false, false, true])
    #expect(codes == [nil, nil, nil, nil, 130])
  }

  @Test func `with any, the first end is enough`() {
    var pending = WaitResult(isAny: true)
    pending.add(job(3, nil))
    pending.add(job(4, nil))
    _ = pending.end(job(4, .succeeded))
    #expect(pending.code == 0)
  }

  @Test func `one that fails is enough, and so is one that has begun`() {
    var pending = WaitResult(isAny: false, failsFast: true)
    for number in [3, 4] as [UInt64] { pending.add(job(number, nil)) }
    _ = pending.end(job(4, .failed))
    #expect(pending.code == 1)
    pending = WaitResult(isAny: false, untilRunning: true)
    pending.add(job(3, nil))
    let taken = pending.end(job(3, nil))
    #expect(taken && pending.code == 0)
  }
}
