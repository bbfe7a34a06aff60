internal import JobCore
internal import JobPage
internal import JobWire

/// The core of an embedded scheduler, and what became of its decisions: a value that the place keeps
/// under its lock.
struct EmbeddedDriver {
  /// What is done once the lock is free, in this order.
  enum Action: Sendable {
    case start(EmbeddedAttempt)
    case stop(EmbeddedAttempt, TaskLife.Stop)
  }

  /// The two clocks at the instant of an event.
  struct Moment {
    var awake: Instant
    var wall: WallTime
  }

  /// Ended tasks that are remembered.
  private static let historyLimit = 1000

  private(set) var core: JobCore
  var resources: EmbeddedResources
  private let maker: EmbeddedMaker
  private var cards: [JobNumber: EmbeddedCard] = [:]
  /// Those of ended tasks that have not let go included.
  private var attempts: [JobNumber: EmbeddedAttempt] = [:]
  /// The oldest first.
  private var history: [EmbeddedCard] = []
  /// The request that is being submitted, until the core takes it.
  private var submitted: RequestedTask?
  private var reply: Reply?
  private var lastTag: UInt64 = 0

  init(_ resources: EmbeddedResources, _ maker: EmbeddedMaker) {
    self.resources = resources
    self.maker = maker
    core = JobCore(
      configuration: JobCore.Configuration(slots: max(1, resources.slots)),
      firstNumber: JobNumber(1))
  }

  /// Takes one event, and all that follow from it, through the core.
  mutating func take(_ event: Event, at moment: Moment, into actions: inout [Action]) {
    var inbox = [event]
    while !inbox.isEmpty {
      for effect in core.handle(inbox.removeFirst(), at: moment.awake) {
        carryOut(effect, at: moment, &inbox, &actions)
      }
    }
  }

  /// Takes an event that the core answers.
  mutating func ask(
    _ event: Event, about request: RequestedTask? = nil, at moment: Moment,
    into actions: inout [Action]
  ) -> Reply? {
    submitted = request
    reply = nil
    take(event, at: moment, into: &actions)
    submitted = nil
    return reply
  }

  /// When the next event is due that only the clock brings, on the awake clock; nil = nothing is.
  func nextDue(after moment: Moment) -> UInt64? {
    let timeOfDay = core.nextTimeOfDay.map { time in
      // People set the clock, and machines sleep: look again every minute.
      let wait = min(60_000, max(0, time.milliseconds - moment.wall.milliseconds))
      return moment.awake + .milliseconds(UInt64(wait))
    }
    return [timeOfDay, core.nextDeadline].compactMap { $0?.nanoseconds }.min()
  }

  /// A name for the next question to the core.
  mutating func nextTag() -> RequestTag {
    lastTag += 1
    return RequestTag(lastTag)
  }

  /// What makes the next submission one of its own.
  mutating func nextKey() -> String {
    "embedded-\(nextTag().value)"
  }

  /// The attempt whose task was completed; nil when it is over already.
  func attempt(_ number: JobNumber, _ attempt: Int) -> EmbeddedAttempt? {
    attempts[number].flatMap { $0.attempt == attempt ? $0 : nil }
  }

  /// The live task with this identifier.
  func number(of identifier: String) -> JobNumber? {
    JobIdentifier(identifier).flatMap { core.number(of: $0) }
  }

  /// The requests that have not begun.
  var pending: [EmbeddedCard] {
    cards.values.filter { card in
      if case .queued = card.state { true } else { false }
    }.sorted { $0.number < $1.number }
  }

  var records: [BGTaskRecord] {
    let live = cards.values.sorted { $0.number < $1.number }.map { card in
      var card = card
      if let attempt = attempts[card.number] { card.page = attempt.page() }
      return card.record(core.snapshot(card.number))
    }
    return (history.map { $0.record(nil) } + live).sorted { $0.number < $1.number }
  }
}

// What the core decided.
extension EmbeddedDriver {
  private mutating func carryOut(
    _ effect: Effect, at moment: Moment, _ inbox: inout [Event], _ actions: inout [Action]
  ) {
    switch effect {
    case .announce(let number, let announcement): note(announcement, of: number, at: moment)
    case .launch(let number, let attempt, _): launch(number, attempt, &inbox, &actions)
    case .sample(let number):
      let page = attempts[number]?.page() ?? PageSnapshot()
      inbox.append(.sampled(number, PageSample(page)))
    case .stop(let number, let reason, let deadline):
      guard let attempt = attempts[number] else { return }
      let stop = TaskLife.Stop(
        reason: BGTask.StopReason(rawValue: reason.code.rawValue),
        deadlineNanoseconds: deadline.nanoseconds)
      actions.append(.stop(attempt, stop))
    case .kill(let number): outlive(number, &inbox)
    case .released: break
    case .probe: inbox.append(.machine(resources.facts))
    case .reply(_, let answer): reply = answer
    }
  }

  /// A thread cannot be killed: the task has ended for people, and keeps what it holds until it is
  /// completed.
  private mutating func outlive(_ number: JobNumber, _ inbox: inout [Event]) {
    guard let attempt = attempts[number] else { return }
    let page = attempt.page()
    cards[number]?.page = page
    StandardError.say(
      "\(attempt.task.identifier) goes on after its grace; it keeps its slot until it is completed")
    inbox.append(
      .finished(number, attempt: attempt.attempt, RunEnd(.outlives, page)))
  }

  private mutating func note(
    _ announcement: Announcement, of number: JobNumber, at moment: Moment
  ) {
    if cards[number] == nil, let submitted {
      cards[number] = EmbeddedCard(
        submitted, number, state: announcement.state, at: moment.wall)
    }
    cards[number]?.state = announcement.state
    switch announcement.kind {
    case .started where cards[number]?.started == nil: cards[number]?.started = moment.wall
    case .ended:
      guard var card = cards.removeValue(forKey: number) else { return }
      card.ended = moment.wall
      history.append(card)
      if history.count > Self.historyLimit { history.removeFirst() }
    default: break
    }
  }

  private mutating func launch(
    _ number: JobNumber, _ attempt: Int, _ inbox: inout [Event], _ actions: inout [Action]
  ) {
    guard let card = cards[number] else { return }
    cards[number]?.attempt = attempt
    do throws(EmbeddedObstacle) {
      let made = try maker.make(card, attempt: attempt)
      attempts[number] = made
      actions.append(.start(made))
      inbox.append(.started(number, attempt: attempt))
    } catch {
      cards[number]?.obstacle = error.sentence
      let end = RunEnd(status: .cannotStart(error.sentence))
      inbox.append(.finished(number, attempt: attempt, end))
    }
  }

  /// The task of an attempt was completed.
  mutating func complete(
    _ attempt: EmbeddedAttempt, at moment: Moment, into actions: inout [Action]
  ) {
    let page = attempt.page()
    attempts[attempt.number] = nil
    cards[attempt.number]?.page = page
    take(
      .finished(attempt.number, attempt: attempt.attempt, RunEnd(.completed, page)), at: moment,
      into: &actions)
  }
}
