internal import JobCore
internal import JobPage
internal import JobWire
internal import LinuxSystem

/// Runs attempts on Slurm, through its commands and the files that the nodes share with this machine.
///
/// Slurm decides where and when, but not how an attempt ended: that is in the record, which has exactly one
/// writer, however often Slurm starts an attempt or forgets it.
final class SlurmEngine: Engine<SlurmAttempt> {
  var submission: SlurmSubmission?
  var names = SlurmNames(store: "", engine: "")
  var commands: [UInt64: SlurmCommand] = [:]
  private var lastToken: UInt64 = 0
  var budget = SlurmBudget(at: AwakeClock.now())
  /// Attempts to submit, in the order of their arrival.
  var waiting: [EngineAttempt] = []
  var isSubmitting = false
  var flurry = LaunchFlurry()
  /// The maximum number of elements of an array: Slurm's configuration, and what it has accepted.
  var arrayMost = 1_000
  /// The attempts of arrays, by the suffix of their names.
  var batches: [String: [EngineAttempt]] = [:]
  /// Jobs to be cancelled, and jobs to be signalled that their control pages are new, with the next call of
  /// each kind.
  var cancelled = SlurmSignal(["scancel"])
  var rung = SlurmSignal(["scancel", "-b", "-s", "USR1"])
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
  /// Attempts that the queue did not show, to be queried by their numbers.
  var unresolved: [EngineAttempt] = []
  var isAskingOfOne = false

  /// The interval between two writes of a mirror without a watching client.
  static var pace: UInt32 { 10_000 }
  /// Prologs may take long; after this time an allocation without a claim counts as failed.
  static var unclaimedTimeout: UInt64 { 600_000 * millisecond }

  /// The interval between two checks of running attempts: about 100 files a second, however many run.
  var lookPause: UInt64 {
    max(UInt64(Self.pace), 10 * UInt64(attempts.count)) * Self.millisecond
  }
  override var silence: UInt64 { 3 * lookPause }
  /// Each ring is a call to the controller.
  override var ringsForWatchers: Bool { attempts.count <= 16 }
  /// A node that has written nothing for this long counts as unreachable.
  var contactLoss: UInt64 { silence + lookPause }
  /// The time between Slurm's SIGTERM and its kill, less what a supervisor needs to record the end; 0 =
  /// unknown.
  private var killGrace: UInt32 = 0

  override func greet(_ greeting: EngineGreeting) {
    names = SlurmNames(store: greeting.store, engine: greeting.engine)
    submission = SlurmSubmission(
      greeting: greeting,
      program: SlurmPrograms.install(from: program, below: greeting.folder, report))
    call(["scontrol", "show", "config"]) { [self] in learn($0) }
  }

  private func learn(_ answer: SlurmAnswer) {
    // The largest number of an element is one less.
    if let most = answer.setting("MaxArraySize") {
      arrayMost = min(arrayMost, max(1, Int(clamping: most)))
    }
    guard let seconds = answer.setting("KillWait"), seconds > 0 else { return }
    killGrace = UInt32(clamping: max(1, min(seconds, 1 << 32) - min(seconds, 2)) * 1_000)
    for attempt in attempts.values where attempt.control.engineGraceMilliseconds != killGrace {
      attempt.control.engineGraceMilliseconds = killGrace
      renew(attempt, "of Slurm's grace")
    }
  }

  /// Writes its control page without a need to act at once.
  func renew(_ attempt: SlurmAttempt, _ what: String) {
    do throws(SystemError) {
      try attempt.writeControl()
    } catch  where error.number == SystemError.notFound {
      // The loss of its folder is reported elsewhere.
    } catch {
      report(.note("job \(attempt.name.job) cannot be told \(what): \(error)"))
    }
  }

  override func launch(_ launch: EngineLaunch, _ order: [UInt8]) {
    let attempt = SlurmAttempt(launch.attempt, in: store, pace: Self.pace)
    attempt.launch = launch
    attempt.control.engineGraceMilliseconds = killGrace
    insert(attempt)
    flurry.note(at: AwakeClock.now())
    prepare(attempt, order)
  }

  /// A folder that a shortage prevents is made later.
  private func prepare(_ attempt: SlurmAttempt, _ order: [UInt8]) {
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
    let attempt = SlurmAttempt(adoption.attempt, in: store, pace: Self.pace)
    attempt.submission = .unknown
    attempt.readControl()
    attempt.goOn(with: adoption)
    insert(attempt)
    pollAt = AwakeClock.now()
    asksForEnded = true
    conclude(attempt)
  }

  override func ring(_ attempt: SlurmAttempt) {
    if let id = attempt.id, let name = attempt.shownName { rung.insert(id, named: name) }
  }

  override func expectStop(_ attempt: SlurmAttempt) {
    let grace = UInt64(attempt.control.graceMilliseconds)
    attempt.cancelAt = attempt.cancelAt ?? AwakeClock.now() + (grace + 30_000) * Self.millisecond
    lookSoon(attempt)
  }

  override func expectKill(_ attempt: SlurmAttempt) {
    attempt.cancelAt = AwakeClock.now() + 5 * Self.timeout
    lookSoon(attempt)
  }

  private func lookSoon(_ attempt: SlurmAttempt) {
    attempt.lookAt = min(attempt.lookAt, AwakeClock.now() + lookPause / 40)
  }

  override func endUntold(_ attempt: SlurmAttempt) { endFromHere(attempt) }

  override func withdraw(_ attempt: SlurmAttempt) {
    waiting.removeAll { $0 == attempt.name }
    discard(attempt.name)
  }

  /// Also removes the lists of arrays without a live attempt: jobs that are still in the queue are strays
  /// then.
  override func tidy(but live: Set<JobNumber>) {
    super.tidy(but: live)
    for name in (try? File.names(in: SlurmBatch.folder(store))) ?? []
    where !name.utf8.contains(UInt8(ascii: "."))
      && !SlurmBatch.attempts(of: name, store).contains(where: { live.contains($0.job) })
    {
      SlurmBatch.remove(name, store)
    }
  }

  // The loop.

  override func due(_ attempt: SlurmAttempt) -> UInt64 {
    let isThere = attempt.id != nil || attempt.hasStarted || attempt.order != nil
    return min(isThere ? attempt.lookAt : .max, attempt.cancelAt ?? .max)
  }

  override func act(_ attempt: SlurmAttempt, at now: UInt64) {
    if let cancelAt = attempt.cancelAt, cancelAt <= now { endFromHere(attempt) }
    guard attempt.lookAt <= now else { return }
    if let order = attempt.order { return prepare(attempt, order) }
    attempt.lookAt = now + pause(attempt, at: now)
    observe(attempt)
    if attempt.hasEnded || attempt.gone != nil { conclude(attempt) }
  }

  override var ownDue: UInt64? {
    var due = commands.values.map { $0.deadline }.min()
    if rung.isDue || cancelled.isDue { due = AwakeClock.now() }
    let allowed = budget.next(after: AwakeClock.now())
    let question = isAskingOfOne || unresolved.isEmpty ? nil : AwakeClock.now()
    for wanted in [isPolling ? nil : pollAt, isSubmitting ? nil : nextSubmission, question] {
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
    if !isSubmitting, let due = nextSubmission, due <= now, budget.take(at: now) {
      submitNext(at: now)
    }
    if rung.isDue { call(rung.begin()) { [self] _ in rung.isUnderWay = false } }
    if cancelled.isDue { call(cancelled.begin()) { [self] _ in cancelled.isUnderWay = false } }
  }

  /// Finishes the pending cancellations after the helper is gone.
  override func leave() {
    for var signal in [rung, cancelled] {
      for _ in 0..<Self.namesAtLeaving where !signal.isEmpty { call(signal.begin()) { _ in } }
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
    call(SlurmFarewell.command(for: left.sorted(), awaitsSubmission: isSubmitting)) { _ in }
  }

  private static var namesAtLeaving: Int { 100 }

  /// Starts a command; a failure to start is an answer, too.
  func call(
    _ arguments: [String], input: [UInt8] = [], done: @escaping (SlurmAnswer) -> Void
  ) {
    do throws(SystemError) {
      let command = try SlurmCommand(arguments, input: input, done: done)
      lastToken += 1
      commands[lastToken] = command
      try command.watch(with: loop, token: lastToken)
    } catch {
      var answer = SlurmAnswer()
      answer.errors = Array("\(arguments[0]) cannot be called here: \(error)".utf8)
      done(answer)
    }
  }

  private func finish(_ token: UInt64, _ command: SlurmCommand, _ answer: SlurmAnswer) {
    command.ignore(with: loop)
    commands[token] = nil
    budget.note(answer.took)
    command.done(answer)
  }
}
