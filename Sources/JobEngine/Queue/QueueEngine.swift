internal import JobCore
internal import JobPage
internal import JobWire
internal import LinuxSystem

/// Runs attempts through a batch system, by its commands and the files that the nodes share with this machine.
///
/// The system decides where and when, but not how an attempt ended: that is in the record, which has exactly
/// one writer, however often the system starts an attempt or forgets it.
final class QueueEngine<Dialect: QueueDialect>: Engine<QueueAttempt> {
  var dialect = Dialect()
  var names = QueueNames(store: "", engine: "")
  var commands: [UInt64: QueueCommand] = [:]
  private var lastToken: UInt64 = 0
  var budget = QueueBudget(at: AwakeClock.now())
  /// Attempts to submit, in the order of their arrival.
  var waiting: [EngineAttempt] = []
  /// The batch whose submission has not been answered.
  var submitting: QueueBatch?
  var flurry = LaunchFlurry()
  /// The maximum number of elements of an array: the system's configuration, and what it has accepted.
  var arrayMost = Dialect.arrayMost
  /// Names by the numbers of jobs, where rows have no names.
  var numbered: [String: String] = [:]
  /// States that were reported as unknown.
  var unknownStates: Set<String> = []
  /// The attempts of arrays, by the suffix of their names.
  var batches: [String: [EngineAttempt]] = [:]
  /// Jobs to be cancelled, and jobs to be signalled that their control pages are new, with the next call of
  /// each kind.
  var cancelled = QueueSignal()
  var rung = QueueSignal()
  /// When to poll the queue next; nil = it has no job of this engine.
  var pollAt: UInt64?
  var isPolling = false
  /// The next poll includes ended jobs.
  var asksForEnded = false
  /// Names of this engine without a live attempt, in the last poll.
  var strays: Set<String> = []
  /// Names of this engine that the next poll is to cancel at once.
  var unwanted: Set<String> = []
  /// The reported problem that prevents polls.
  var trouble: String?
  /// Consecutive polls that failed.
  var failedLooks = 0
  /// The time of the last failed poll.
  var failedAt: UInt64?
  /// Attempts that the queue did not show, to be queried by their numbers.
  var unresolved: [EngineAttempt] = []
  var isAskingOfOne = false

  /// Prologs may take long; after this time an allocation without a claim counts as failed.
  static var unclaimedTimeout: UInt64 { 600_000 * millisecond }

  /// The interval between two checks of running attempts: about 100 files a second, however many run.
  var lookPause: UInt64 {
    max(UInt64(Dialect.pace), 10 * UInt64(attempts.count)) * Self.millisecond
  }
  /// A file server that is away for a moment is not worth a warning.
  override var silence: UInt64 { max(3 * lookPause, 30_000 * Self.millisecond) }
  /// Each ring is a call to the controller.
  override var ringsForWatchers: Bool { Dialect.rings && attempts.count <= 16 }
  /// A node that has written nothing for this long counts as unreachable.
  var contactLoss: UInt64 { 4 * lookPause }
  /// The time between the system's SIGTERM and its kill, less what a supervisor needs to record the end; 0 =
  /// unknown.
  private var killGrace: UInt32 = 0

  override func greet(_ greeting: EngineGreeting) {
    names = QueueNames(store: greeting.store, engine: greeting.engine)
    dialect.greet(
      greeting, program: QueuePrograms.install(from: program, below: greeting.folder, report))
    if let limits = dialect.limitsCall { call(limits) { [self] in learn($0) } }
  }

  private func learn(_ answer: QueueAnswer) {
    let limits = dialect.limits(in: answer)
    if let most = limits.arrayMost { arrayMost = min(arrayMost, most) }
    guard let grace = limits.killGraceMilliseconds else { return }
    killGrace = grace
    for attempt in attempts.values where attempt.control.engineGraceMilliseconds != killGrace {
      attempt.control.engineGraceMilliseconds = killGrace
      renew(attempt, "of the grace of \(dialect.name)")
    }
  }

  /// Writes its control page without a need to act at once.
  func renew(_ attempt: QueueAttempt, _ what: String) {
    do throws(SystemError) {
      try attempt.writeControl()
    } catch  where error.number == SystemError.notFound {
      // The loss of its folder is reported elsewhere.
    } catch {
      report(.note("job \(attempt.name.job) cannot be told \(what): \(error)"))
    }
  }

  override func launch(_ launch: EngineLaunch, _ order: [UInt8]) {
    let attempt = QueueAttempt(launch.attempt, in: store, pace: Dialect.pace)
    attempt.launch = launch
    attempt.control.engineGraceMilliseconds = killGrace
    insert(attempt)
    flurry.note(at: AwakeClock.now())
    prepare(attempt, order)
  }

  /// A folder that a shortage prevents is made later.
  private func prepare(_ attempt: QueueAttempt, _ order: [UInt8]) {
    attempt.order = nil
    guard let launch = attempt.launch else { return }
    do throws(SystemError) {
      try attempt.makeFolder(launch, order)
      waiting.append(attempt.name)
    } catch {
      guard error.isShortage else {
        return over(
          attempt, .refused(attempt.name, message: "its folder cannot be made: \(error)"))
      }
      attempt.order = order
      attempt.lookAt = AwakeClock.now() + 5 * Self.timeout
      tell(attempt, .engine, "its folder cannot be made yet: \(error)")
    }
  }

  override func adopt(_ adoption: EngineAdoption) {
    let attempt = QueueAttempt(adoption.attempt, in: store, pace: Dialect.pace)
    attempt.submission = .unknown
    if let id = dialect.id(of: attempt.folder) { number(attempt, id) }
    attempt.readControl()
    attempt.goOn(with: adoption)
    insert(attempt)
    pollAt = AwakeClock.now()
    asksForEnded = true
    conclude(attempt)
  }

  override func ring(_ attempt: QueueAttempt) {
    guard Dialect.rings, let id = attempt.id, let name = attempt.shownName else { return }
    rung.insert(id, named: name)
  }

  override func expectStop(_ attempt: QueueAttempt) {
    let grace = UInt64(attempt.control.graceMilliseconds)
    attempt.cancelAt = attempt.cancelAt ?? AwakeClock.now() + (grace + 30_000) * Self.millisecond
    lookSoon(attempt)
  }

  override func expectKill(_ attempt: QueueAttempt) {
    attempt.cancelAt = AwakeClock.now() + 5 * Self.timeout
    lookSoon(attempt)
  }

  private func lookSoon(_ attempt: QueueAttempt) {
    attempt.lookAt = min(attempt.lookAt, AwakeClock.now() + lookPause / 40)
  }

  override func endUntold(_ attempt: QueueAttempt) { endFromHere(attempt) }

  override func withdraw(_ attempt: QueueAttempt) {
    waiting.removeAll { $0 == attempt.name }
    discard(attempt.name)
  }

  /// Also removes the lists of arrays without a live attempt: jobs that are still in the queue are strays
  /// then.
  override func tidy(but live: Set<JobNumber>) {
    super.tidy(but: live)
    for name in (try? File.names(in: QueueBatch.folder(store))) ?? []
    where !name.utf8.contains(UInt8(ascii: "."))
      && !QueueBatch.attempts(of: name, store).contains(where: { live.contains($0.job) })
    {
      QueueBatch.remove(name, store)
    }
  }

  // The loop.

  override func due(_ attempt: QueueAttempt) -> UInt64 {
    let isThere = attempt.id != nil || attempt.hasStarted || attempt.order != nil
    return min(isThere ? attempt.lookAt : .max, attempt.cancelAt ?? .max)
  }

  override func act(_ attempt: QueueAttempt, at now: UInt64) {
    if let cancelAt = attempt.cancelAt, cancelAt <= now { endFromHere(attempt) }
    guard attempt.lookAt <= now else { return }
    if let order = attempt.order { return prepare(attempt, order) }
    attempt.lookAt = now + pause(attempt, at: now)
    observe(attempt)
    if attempt.hasEnded || attempt.gone != nil {
      conclude(attempt)
    } else if attempt.hasStarted, now > attempt.heardAt + contactLoss,
      attempt.doubtedAt != attempt.heardAt
    {
      // It may have been ended through the queue. One question is enough: a file server that is away makes all
      // attempts silent.
      attempt.doubtedAt = attempt.heardAt
      pollSoon()
    }
  }

  override var ownDue: UInt64? {
    var due = commands.values.map { $0.deadline }.min()
    if rung.isDue || cancelled.isDue { due = AwakeClock.now() }
    let allowed = budget.next(after: AwakeClock.now())
    let question = isAskingOfOne || unresolved.isEmpty ? nil : AwakeClock.now()
    for wanted in [isPolling ? nil : pollAt, submitting != nil ? nil : nextSubmission, question] {
      if let wanted { due = min(due ?? .max, max(wanted, allowed)) }
    }
    return due
  }

  /// When the next attempt may be submitted.
  private var nextSubmission: UInt64? {
    let due = waiting.lazy.compactMap { self.attempts[$0]?.submitAt }.min()
    return waiting.count >= arrayMost ? due : due.map { max($0, flurry.end) }
  }

  override func ready(_ token: UInt64) {
    guard let command = commands[token], let answer = command.collect(loop) else { return }
    finish(token, command, answer)
  }

  override func act(at now: UInt64) {
    for (token, command) in commands where command.deadline <= now {
      finish(token, command, command.kill())
    }
    // Polls take precedence over submissions.
    if !isPolling, let pollAt, pollAt <= now, budget.take(at: now) { poll() }
    if !isAskingOfOne, !unresolved.isEmpty, budget.take(at: now) { askOfNext() }
    if submitting == nil, let due = nextSubmission, due <= now, budget.take(at: now) {
      submitNext(at: now)
    }
    if rung.isDue {
      let (ids, name) = rung.begin()
      call(dialect.ring(ids, named: name)) { [self] _ in rung.isUnderWay = false }
    }
    if cancelled.isDue {
      let (ids, name) = cancelled.begin()
      call(dialect.cancel(ids, named: name)) { [self] _ in cancelled.isUnderWay = false }
    }
  }

  /// Finishes the pending cancellations after the helper is gone.
  override func leave() {
    for _ in 0..<Self.namesAtLeaving {
      let (rung, cancelled) = (self.rung.begin(), self.cancelled.begin())
      if !rung.ids.isEmpty { call(dialect.ring(rung.ids, named: rung.name)) { _ in } }
      if !cancelled.ids.isEmpty {
        call(dialect.cancel(cancelled.ids, named: cancelled.name)) { _ in }
      }
    }
    var left = unwanted.union(strays)
    for (batch, members) in batches {
      let own = members.map { names.name(of: $0) }
      let isWanted = members.contains { attempts[$0] != nil }
      // An array has one name: without a live attempt that name cancels it all. Remaining elements find
      // their attempts decided.
      if !isWanted, !left.isDisjoint(with: own) { left.insert(names.name(ofBatch: batch)) }
      left.subtract(own)
    }
    if left.isEmpty { return }
    let ids = numbered.filter { left.contains($0.value) }.map { $0.key }
    if ids.isEmpty, !Dialect.showsNames { return }
    call(
      dialect.farewell(names: left.sorted(), ids: ids.sorted(), awaitsSubmission: submitting != nil)
    ) { _ in }
  }

  private static var namesAtLeaving: Int { 100 }

  func call(_ arguments: [String], done: @escaping (QueueAnswer) -> Void) {
    call(QueueCall(arguments: arguments), done: done)
  }

  /// Starts a command; a failure to start is an answer, too.
  func call(_ call: QueueCall, done: @escaping (QueueAnswer) -> Void) {
    do throws(SystemError) {
      let command = try QueueCommand(call, environment: Dialect.environment, done: done)
      lastToken += 1
      commands[lastToken] = command
      try command.watch(with: loop, token: lastToken)
    } catch {
      var answer = QueueAnswer()
      answer.errors = Array("\(call.arguments[0]) cannot be called here: \(error)".utf8)
      done(answer)
    }
  }

  private func finish(_ token: UInt64, _ command: QueueCommand, _ answer: QueueAnswer) {
    command.ignore(with: loop)
    commands[token] = nil
    budget.note(answer.took)
    command.done(answer)
  }
}
