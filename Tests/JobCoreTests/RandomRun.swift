import JobCore
import SimulatedWorld

/// One long life of a core among random people, workers and machines, all from one seed.
struct RandomRun {
  let seed: UInt64
  var dice: Dice
  let configuration: Scheduler.Configuration
  var core: Scheduler
  var world: World
  var now = Instant(nanoseconds: 1_000_000_000)
  var tag: UInt64 = 0
  var keys = 0
  /// Whether the bundles' settings change.
  let hasSettings: Bool
  /// Whether everything that must hold is checked after each event, which takes a third of the time.
  var isChecked = true
  /// By how much the civil clock was set.
  var clockShift: Int64 = 0
  /// The events, for a replay.
  var history: [(event: Event, at: Instant, effects: [Effect])] = []
  /// The first error, which ends the run.
  var problem: String?

  init(seed: UInt64) {
    self.seed = seed
    dice = Dice(seed: seed)
    hasSettings = dice.chance(2)
    var configuration = Scheduler.Configuration(
      slots: Int.random(in: 1...4, using: &dice.generator))
    configuration.promptKeepsSlot = .seconds(20)
    (configuration.liftAfter, configuration.maximumOvertakes) = (.seconds(5), 2)
    self.configuration = configuration
    core = Scheduler(configuration: configuration, firstNumber: JobNumber(1))
    world = World(configuration: configuration)
  }

  /// The civil clock.
  var timeOfDay: WallTime {
    WallTime(milliseconds: Int64(now.nanoseconds / 1_000_000) + clockShift)
  }

  /// Runs `steps` events, lets all jobs end, and returns the error.
  mutating func live(steps: Int) -> String? {
    tell(.engines(Dice.engines, pools: Dice.pools))
    if chance(4) { restoreSome() }
    for _ in 0..<steps where problem == nil {
      passTime()
      tell(randomEvent())
    }
    letAllEnd()
    return problem.map { "seed \(seed), event \(history.count): \($0)" }
  }

  /// Tells the core one event, the world its effects, and checks everything that must hold.
  mutating func tell(_ event: Event) {
    guard problem == nil else { return }
    let effects = core.handle(event, at: now)
    history.append((event, now, effects))
    world.take(effects, of: event, at: now, chosen: core.machines(chosenIn: effects))
    defer { answerLooks(effects) }
    guard isChecked else { return }
    let vain = event.isRestore ? [] : core.waitingInVain
    let broken =
      world.impossible + core.violatedInvariants
      + vain.map { "job \($0) waits for one that is gone" }
    if !broken.isEmpty {
      problem = "\(broken.joined(separator: "; ")) after \(event): \(effects.map(\.text))"
    } else if core.liveNumbers != world.live {
      problem = "live are \(core.liveNumbers), and should be \(world.live), after \(event)"
    } else if core.lingeringNumbers != world.lingering {
      problem = "\(core.lingeringNumbers) linger, and should be \(world.lingering), after \(event)"
    }
  }

  /// Looks are mostly answered at once, as the runner does.
  private mutating func answerLooks(_ effects: [Effect]) {
    for case .sample(let number) in effects where !chance(5) { tell(report(of: number)) }
    for case .survey(let machine) in effects where !chance(5) { tell(survey(of: machine)) }
    for case .kill(let number) in effects where isHosted(number) && !chance(5) {
      let declared = chance(3) ? RunEnd.Declared.success : .nothing
      let end = RunEnd(status: .outlives, declared: declared, sample: randomSample())
      tell(.finished(number, attempt: core.snapshot(number)?.attempt ?? 1, end))
    }
  }

  func isHosted(_ number: JobNumber) -> Bool { world.members[number]?.isHosted ?? false }

  mutating func chance(_ oneIn: Int) -> Bool { dice.chance(oneIn) }

  mutating func pick<Value>(_ values: [Value]) -> Value {
    dice.pick(values)
  }

  /// Advances the time a little, up to the next deadline, or far beyond it.
  private mutating func passTime() {
    switch Int.random(in: 0..<10, using: &dice.generator) {
    case 0..<5: now = now + .milliseconds(UInt64.random(in: 0...1500, using: &dice.generator))
    case 5..<8: if let due = core.nextDeadline { now = max(now, due) }
    case 8: now = now + .seconds(UInt64.random(in: 0...60, using: &dice.generator))
    default: break
    }
    if chance(20), let wanted = core.nextTimeOfDay { passTime(until: wanted) }
    if let due = core.nextDeadline, due <= now, !chance(5) { tell(.deadline) }
    if let due = core.nextTimeOfDay, due <= timeOfDay, !chance(5) { tell(.timeOfDay(timeOfDay)) }
  }

  private mutating func passTime(until wanted: WallTime) {
    let left = wanted.milliseconds - timeOfDay.milliseconds
    if left > 0 { now = now + .milliseconds(UInt64(left)) }
  }

  /// Ends workers, meets conditions and advances the time until no job is left.
  private mutating func letAllEnd() {
    var rounds = 0
    let wasToldToStop = history.contains { if case .shutdown = $0.event { true } else { false } }
    while problem == nil, !core.liveNumbers.isEmpty || !core.lingeringNumbers.isEmpty {
      rounds += 1
      if rounds > 1_000 {
        let states = core.liveNumbers.compactMap { core.snapshot($0) }
        problem = "jobs \(core.liveNumbers) never end: \(states.map { "\($0.text): \($0.why)" })"
        return
      }
      tell(.pauseRunner(false))
      tell(.settings([:]))
      tell(.saving(nil))
      tell(.busy(pressure: nil, presence: nil))
      tell(.resumeAll(newTag()))
      for group in core.pausedGroups { tell(.pauseGroup(group, false)) }
      // What is tried again waits until its machine has enough again.
      tell(.machine(.boundless))
      for machine in Dice.engines.keys.sorted() { tell(.surveyed(machine, .facts(.boundless))) }
      for number in core.liveNumbers where world.isActive(number) {
        let attempt = core.snapshot(number)?.attempt ?? 0
        tell(.started(number, attempt: attempt))
        tell(.finished(number, attempt: attempt, RunEnd(status: .exited(0), declared: .success)))
      }
      for number in core.lingeringNumbers {
        tell(.finished(number, attempt: 1, RunEnd(status: .hostEnded)))
      }
      if let due = core.nextDeadline { now = max(now, due) }
      tell(.deadline)
      for number in core.liveNumbers where core.submission(of: number)?.isHeld ?? false {
        tell(.release(newTag(), number))
      }
      if let wanted = core.nextTimeOfDay { passTime(until: wanted) }
      tell(.timeOfDay(timeOfDay))
      // A stopping runner leaves scheduled jobs to the next one, and at the end of the clock no time comes.
      if wasToldToStop || now.nanoseconds > .max / 2, rounds > 30,
        let left = core.liveNumbers.first
      {
        tell(.cancel(newTag(), left, now: true))
      }
    }
    guard problem == nil else { return }
    if core.nextDeadline != nil || core.nextTimeOfDay != nil {
      problem = "an idle core has a deadline"
    }
    if core.slotsUsed != 0 || core.runningCount != 0 || core.queuedCount != 0 {
      problem = "an idle core holds something"
    }
  }
}
