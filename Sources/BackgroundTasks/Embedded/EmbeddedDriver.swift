internal import JobCore
internal import JobPage
internal import JobRuntime
internal import JobWire

/// The runtime of an embedded scheduler, and the actions of its turns: a value that the backend protects by its
/// lock.
struct EmbeddedDriver {
  /// An action once the lock is free, in this order.
  enum Action: Sendable {
    case start(EmbeddedAttempt)
    case stop(EmbeddedAttempt, TaskLife.Stop)
  }

  /// Ended tasks that are remembered.
  private static let historyLimit = 1000

  private let runtime: JobRuntime
  private var journal = MemoryJournal()
  var resources: EmbeddedResources
  private let maker: EmbeddedMaker
  private var liveJobs: [JobNumber: EmbeddedJob] = [:]
  /// Includes those of ended tasks that have not let go.
  private var attempts: [JobNumber: EmbeddedAttempt] = [:]
  /// The oldest first.
  private var history: [BGTaskRecord] = []
  /// The request that is being submitted, until it is taken in.
  private var submitted: RequestedTask?
  private var reply: Reply?

  init(_ resources: EmbeddedResources, _ maker: EmbeddedMaker) {
    self.resources = resources
    self.maker = maker
    runtime = JobRuntime(
      Scheduler.Configuration(slots: max(1, resources.slots)), firstNumber: JobNumber(1))
  }

  /// Takes one event, and all that follow from it, through the runtime.
  mutating func handle(_ event: Event, at moment: Moment, into actions: inout [Action]) {
    runtime.inbox.append(event)
    while let turn = runtime.turn(at: moment, &journal) { carryOut(turn, &actions) }
  }

  /// Takes an event that is answered.
  mutating func ask(_ event: Event, at moment: Moment, into actions: inout [Action]) -> Reply? {
    reply = nil
    handle(event, at: moment, into: &actions)
    return reply
  }

  /// Accepts a request, or returns the reason for its refusal.
  mutating func submit(
    _ request: RequestedTask, _ submission: Submission, at moment: Moment,
    into actions: inout [Action]
  ) -> Reply? {
    var words = ("", "")
    if case .continued(let values) = request.kind { words = (values.title, values.subtitle) }
    let job = LiveJob(
      number: JobNumber(0), submission: submission, definition: nil, title: words.0,
      subtitle: words.1, submittedAt: moment.wall)
    let tag = nextTag()
    runtime.drafts[tag] = Draft(job)
    submitted = request
    defer { submitted = nil }
    return ask(.submit(tag, submission), at: moment, into: &actions)
  }

  /// When the clock's next event is due, on the awake clock; nil = none is.
  func nextDue(after moment: Moment) -> UInt64? {
    let timeOfDay = runtime.scheduler.nextTimeOfDay.map { time in
      // People set the clock, and machines sleep: look again every minute.
      let wait = min(60_000, max(0, time.milliseconds - moment.wall.milliseconds))
      return moment.awake + .milliseconds(UInt64(wait))
    }
    return [timeOfDay, runtime.scheduler.nextDeadline].compactMap { $0?.nanoseconds }.min()
  }

  /// A name for the next question to the scheduler.
  func nextTag() -> RequestTag { runtime.nextTag() }

  /// A unique key for the next submission.
  func nextKey() -> String { "embedded-\(nextTag().value)" }

  /// The attempt whose task was completed; nil when it is over already.
  func attempt(_ number: JobNumber, _ attempt: Int) -> EmbeddedAttempt? {
    attempts[number].flatMap { $0.attempt == attempt ? $0 : nil }
  }

  /// The live task with this identifier.
  func number(of identifier: String) -> JobNumber? {
    JobIdentifier(identifier).flatMap { runtime.scheduler.number(of: $0) }
  }

  /// The requests that have not begun.
  var pending: [EmbeddedJob] {
    liveJobs.values.filter { runtime.jobs[$0.number]?.waits ?? false }
      .sorted { $0.number < $1.number }
  }

  var records: [BGTaskRecord] {
    let live = liveJobs.values.sorted { $0.number < $1.number }.compactMap { liveJob in
      var liveJob = liveJob
      if let attempt = attempts[liveJob.number] { liveJob.page = attempt.page() }
      return record(liveJob)
    }
    return (history + live).sorted { $0.number < $1.number }
  }

  private func record(_ liveJob: EmbeddedJob) -> BGTaskRecord? {
    runtime.jobs[liveJob.number].map {
      liveJob.record($0, runtime.scheduler.snapshot(liveJob.number))
    }
  }
}

// Carrying out a turn.
extension EmbeddedDriver {
  private mutating func carryOut(_ turn: Turn, _ actions: inout [Action]) {
    for acceptance in turn.accepted {
      guard let submitted else { continue }
      liveJobs[acceptance.number] = EmbeddedJob(submitted, acceptance.number)
    }
    for answer in turn.answers { reply = try? answer.reply.get() }
    for action in turn.actions { carryOut(action, &actions) }
    for number in turn.ended { retire(number) }
  }

  private mutating func carryOut(_ effect: Effect, _ actions: inout [Action]) {
    switch effect {
    case .launch(let number, let attempt, let gpus): launch(number, attempt, gpus, &actions)
    case .sample(let number):
      let page = attempts[number]?.page() ?? PageSnapshot()
      runtime.inbox.append(.sampled(number, PageSample(page)))
    case .stop(let number, let reason, let deadline):
      guard let attempt = attempts[number] else { return }
      let stop = TaskLife.Stop(
        reason: BGTask.StopReason(rawValue: reason.code.rawValue),
        deadlineNanoseconds: deadline.nanoseconds)
      actions.append(.stop(attempt, stop))
    case .kill(let number): outlive(number)
    case .probe: runtime.inbox.append(.machine(resources.facts))
    // It has no engines.
    case .survey: break
    case .pause, .resume, .released, .announce, .reply: break
    }
  }

  /// A thread cannot be killed: the task is shown as ended, and keeps its resources until it is completed.
  private mutating func outlive(_ number: JobNumber) {
    guard let attempt = attempts[number] else { return }
    let page = attempt.page()
    liveJobs[number]?.page = page
    StandardError.say(
      "\(attempt.task.identifier) continues after its grace period; it keeps its slot until it completes"
    )
    runtime.inbox.append(.finished(number, attempt: attempt.attempt, RunEnd(.outlives, page)))
  }

  /// A task that has ended is history.
  private mutating func retire(_ number: JobNumber) {
    if let record = liveJobs[number].flatMap(record) {
      history.append(record)
      if history.count > Self.historyLimit { history.removeFirst() }
    }
    liveJobs[number] = nil
    runtime.retire(number)
  }

  private mutating func launch(
    _ number: JobNumber, _ attempt: Int, _ gpus: [String], _ actions: inout [Action]
  ) {
    guard let liveJob = liveJobs[number] else { return }
    do throws(EmbeddedError) {
      let made = try maker.make(liveJob, attempt: attempt, gpus: gpus)
      attempts[number] = made
      actions.append(.start(made))
      runtime.inbox.append(.started(number, attempt: attempt))
    } catch {
      liveJobs[number]?.obstacle = error.sentence
      let end = RunEnd(status: .cannotStart(error.sentence))
      runtime.inbox.append(.finished(number, attempt: attempt, end))
    }
  }

  /// The task of an attempt was completed.
  mutating func complete(
    _ attempt: EmbeddedAttempt, at moment: Moment, into actions: inout [Action]
  ) {
    let page = attempt.page()
    attempts[attempt.number] = nil
    liveJobs[attempt.number]?.page = page
    handle(
      .finished(attempt.number, attempt: attempt.attempt, RunEnd(.completed, page)), at: moment,
      into: &actions)
  }
}
