internal import JobCore
internal import JobPage
internal import JobWire
internal import LinuxSystem

/// Has attempts run by Slurm, by its commands and by the files that the nodes share with this machine.
///
/// Slurm decides where and when, and never how something ended: that is in the record, which is made by
/// exactly one, however often Slurm begins an attempt or forgets it.
final class SlurmEngine: Engine<SlurmAttempt> {
  var submission: SlurmSubmission?
  var names = SlurmNames(store: "", engine: "")
  var commands: [UInt64: SlurmCommand] = [:]
  private var lastToken: UInt64 = 0
  var budget = SlurmBudget(at: AwakeClock.now())
  /// Handing over, in the order in which they came.
  var waiting: [EngineAttempt] = []
  var isSubmitting = false
  var flurry = LaunchFlurry()
  /// Most elements of an array: what Slurm is configured for, and has taken.
  var arrayMost = 1_000
  /// Of arrays, by what their names end with.
  var batches: [String: [EngineAttempt]] = [:]
  /// To be ended, and to be told that their control pages are new, with the next call of its kind.
  var cancelled = SlurmSignal(["scancel"])
  var rung = SlurmSignal(["scancel", "-b", "-s", "USR1"])
  /// When to look at the queue next; nil = nobody is in it.
  var pollAt: UInt64?
  var isPolling = false
  /// The next look shows what is over, too.
  var asksForEnded = false
  /// Names of this engine's own without a live attempt, in the last look.
  var strays: Set<String> = []
  /// Names of this engine's own that the next look is to cancel at once.
  var unwanted: Set<String> = []
  /// What keeps the queue from being looked at, as it was told.
  var trouble: String?
  /// Looks in a row that failed.
  var failedLooks = 0
  /// Attempts that the queue did not show and of which Slurm is to be asked by their numbers.
  var doubted: [EngineAttempt] = []
  var isAskingOfOne = false

  /// Between two writings of a mirror, while nobody looks.
  static var pace: UInt32 { 10_000 }
  /// Prologs may take long; after that an allocation that nobody has claimed is none.
  static var ghostAge: UInt64 { 600_000 * millisecond }

  /// Between two looks at what runs: about 100 files a second are looked at, however many run.
  var lookPause: UInt64 {
    max(UInt64(Self.pace), 10 * UInt64(attempts.count)) * Self.millisecond
  }
  override var silence: UInt64 { 3 * lookPause }
  /// Each ring is a call that the controller answers.
  override var ringsForWatchers: Bool { attempts.count <= 16 }
  /// A node that has written nothing for so long is not heard.
  var contactLoss: UInt64 { silence + lookPause }
  /// How long after its SIGTERM Slurm kills a job, less what a supervisor needs to record its end; 0 = not
  /// known.
  private var killGrace: UInt32 = 0

  override func greet(_ greeting: EngineGreeting) {
    names = SlurmNames(store: greeting.store, engine: greeting.engine)
    submission = SlurmSubmission(
      greeting: greeting,
      program: SlurmPrograms.place(from: program, below: greeting.folder, report))
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

  /// Writes its control page, of which nothing has to be done at once.
  func renew(_ attempt: SlurmAttempt, _ what: String) {
    do throws(SystemError) {
      try attempt.writeControl()
    } catch  where error.number == SystemError.notFound {
      // It is told with its folder.
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

  /// A folder that cannot be made for want of something is made later.
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
    attempt.place = .unknown
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

  /// Lists of arrays of which nobody lives go, too: what is still in the queue then is a stray.
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
    let question = isAskingOfOne || doubted.isEmpty ? nil : AwakeClock.now()
    for wanted in [isPolling ? nil : pollAt, isSubmitting ? nil : nextSubmission, question] {
      if let wanted { due = min(due ?? .max, max(wanted, allowed)) }
    }
    return due
  }

  /// When the next attempt may be handed over.
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
    // Looks go before launches.
    if !isPolling, let pollAt, pollAt <= now, budget.take(at: now) { poll() }
    if !isAskingOfOne, !doubted.isEmpty, budget.take(at: now) { askOfNext() }
    if !isSubmitting, let due = nextSubmission, due <= now, budget.take(at: now) {
      submitNext(at: now)
    }
    if rung.isDue { call(rung.begin()) { [self] _ in rung.isUnderWay = false } }
    if cancelled.isDue { call(cancelled.begin()) { [self] _ in cancelled.isUnderWay = false } }
  }

  /// What is still to be ended is, when the helper is gone, too.
  override func leave() {
    for var signal in [rung, cancelled] {
      for _ in 0..<Self.namesAtLeaving where !signal.isEmpty { call(signal.begin()) { _ in } }
    }
    var left = unwanted.union(strays)
    for (batch, members) in batches {
      let own = members.map { names.name(of: $0) }
      let isWanted = members.contains { attempts[$0] != nil }
      // An array has one name: when nobody of it lives, all is ended by that. What is left finds its attempts
      // decided.
      if !isWanted, !left.isDisjoint(with: own) { left.insert(names.name(ofBatch: batch)) }
      left.subtract(own)
    }
    if left.isEmpty { return }
    call(SlurmFarewell.command(for: left.sorted(), awaitsSubmission: isSubmitting)) { _ in }
  }

  private static var namesAtLeaving: Int { 100 }

  /// Starts a command; what it cannot do is an answer, too.
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
