internal import JobCore
internal import JobRuntime
internal import JobWire
internal import Synchronization

/// The backend without a runner: the same core, in the process itself.
///
/// Every call takes the lock, lets the core decide, frees the lock, and then carries out the decisions on the
/// calling thread; only the clock works in the background.
final class EmbeddedBackend: SchedulingBackend {
  private let maker: EmbeddedMaker
  private let rules: EmbeddedRules
  private let driver: Mutex<EmbeddedDriver>
  private let watches = Mutex<[EmbeddedWatch]>([])
  /// When the clock calls next; nil = not at all.
  private let alarm = Mutex<UInt64?>(nil)

  init(
    _ resources: EmbeddedResources, _ rules: EmbeddedRules, clock: any TaskClock,
    handlers: HandlerTable
  ) {
    self.rules = rules
    maker = EmbeddedMaker(clock: clock, handlers: handlers)
    driver = Mutex(EmbeddedDriver(resources, maker))
    change(to: resources)
  }

  func belong(to scheduler: BGTaskScheduler) {
    maker.belong(to: self, of: scheduler)
  }

  /// Calls the driver, and carries out the resulting actions.
  @discardableResult
  private func drive<Value: Sendable>(
    _ body: (inout EmbeddedDriver, Moment, inout [EmbeddedDriver.Action]) -> Value
  ) -> Value {
    var actions: [EmbeddedDriver.Action] = []
    let value = driver.withLock { driver in
      let moment = moment
      driver.handle(.timeOfDay(moment.wall), at: moment, into: &actions)
      let value = body(&driver, moment, &actions)
      // Before others see the new state: they may advance the clock then.
      setAlarm(driver.nextDue(after: moment))
      return value
    }
    for action in actions {
      switch action {
      case .start(let attempt): attempt.registration.launch(attempt.task)
      case .stop(let attempt, let stop): attempt.task.stop(stop)
      }
    }
    notify()
    return value
  }

  private var moment: Moment {
    Moment(
      awake: Instant(nanoseconds: maker.clock.nanoseconds),
      wall: WallTime(milliseconds: maker.clock.wallMilliseconds))
  }
}

// The scheduler's requests.
extension EmbeddedBackend {
  func submit(_ request: RequestedTask) throws(BGTaskScheduler.Error) {
    try maker.handlers.checkHandler(forSubmitted: request.identifier)
    guard let identifier = JobIdentifier(request.identifier) else { return }
    let request = request.fitToBeShown(else: identifier.lastLabel)
    let reply = drive { driver, moment, actions in
      let submission = rules.submission(of: request, identifier, key: driver.nextKey())
      return driver.submit(request, submission, at: moment, into: &actions)
    }
    if case .refused(let refusal)? = reply { throw BGTaskScheduler.Error(refusal) }
  }

  func cancel(_ identifier: String) {
    drive { driver, moment, actions in
      guard let number = driver.number(of: identifier) else { return }
      driver.handle(.withdraw(driver.nextTag(), number), at: moment, into: &actions)
    }
  }

  func stop(_ number: JobNumber) {
    drive { driver, moment, actions in
      driver.handle(.cancel(driver.nextTag(), number, now: false), at: moment, into: &actions)
    }
  }

  func cancelAll() {
    drive { driver, moment, actions in
      for liveJob in driver.pending {
        driver.handle(.withdraw(driver.nextTag(), liveJob.number), at: moment, into: &actions)
      }
    }
  }

  var pending: [RequestedTask] { driver.withLock { $0.pending.map(\.request) } }

  var supportedResources: BGContinuedProcessingTaskRequest.Resources {
    driver.withLock { $0.resources.gpus > 0 ? [.gpu] : [] }
  }

  var records: [BGTaskRecord] { driver.withLock { $0.records } }

  func answer(_ identifier: String, continues: Bool) -> Bool {
    let reply = drive { driver, moment, actions -> Reply? in
      guard let number = driver.number(of: identifier) else { return nil }
      return driver.ask(
        .answer(driver.nextTag(), number, continues: continues), at: moment, into: &actions)
    }
    if case .done? = reply { return true }
    return false
  }

  func simulate(_ simulation: SimulatedEvent, _ identifier: String) throws(BGTaskScheduler.Error) {
    let reply = drive { driver, moment, actions -> Reply? in
      guard let number = driver.number(of: identifier),
        let simulation = Simulation(rawValue: simulation.rawValue)
      else { return nil }
      return driver.ask(
        .simulate(driver.nextTag(), number, simulation), at: moment, into: &actions)
    }
    switch reply {
    case .refused(let refusal)?: throw BGTaskScheduler.Error(refusal)
    case .alreadyStopping?:
      throw BGTaskScheduler.Error(.unavailable, "\(identifier) is already stopping")
    case nil, .notLive?:
      throw BGTaskScheduler.Error(
        .unavailable,
        "no task with the identifier \(identifier) is waiting or running; submit one first")
    default: break
    }
  }
}

// Events of the machine and the clock.
extension EmbeddedBackend {
  /// The machine's resources changed.
  func change(to resources: EmbeddedResources) {
    drive { driver, moment, actions in
      driver.resources = resources
      driver.handle(.machine(resources.facts), at: moment, into: &actions)
    }
  }

  /// A task was completed.
  func complete(_ number: JobNumber, attempt: Int) {
    drive { driver, moment, actions in
      guard let attempt = driver.attempt(number, attempt) else { return }
      driver.complete(attempt, at: moment, into: &actions)
    }
  }

  /// Sets the alarm for the next deadline; an earlier alarm stays and has no effect.
  private func setAlarm(_ due: UInt64?) {
    guard let due else { return }
    let isNew = alarm.withLock { alarm in
      if let alarm, alarm <= due { return false }
      alarm = due
      return true
    }
    guard isNew else { return }
    maker.clock.call(at: due) { [weak self] in self?.ring(due) }
  }

  private func ring(_ due: UInt64) {
    alarm.withLock { if $0 == due { $0 = nil } }
    drive { driver, moment, actions in
      driver.handle(.deadline, at: moment, into: &actions)
    }
  }

  /// Calls back all waiting callers whose condition is met.
  private func notify() {
    guard watches.withLock({ !$0.isEmpty }) else { return }
    let records = records
    let met = watches.withLock { watches -> [EmbeddedWatch] in
      let met = watches.filter { $0.isMet(records) }
      watches.removeAll { $0.isMet(records) }
      return met
    }
    for watch in met { watch.action() }
  }

  func wait(until condition: @escaping @Sendable ([BGTaskRecord]) -> Bool) async {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    add(EmbeddedWatch(isMet: condition) { continuation.finish() })
    for await _ in stream {}
  }

  /// Calls `watch` as soon as its condition holds.
  private func add(_ watch: EmbeddedWatch) {
    watches.withLock { $0.append(watch) }
    notify()
  }
}
