package import JobCore
import JobRuntime

/// Sees every event that a runtime decides on, and checks it against the scheduler's invariants and the
/// second model.
final class Witness {
  private(set) var world: World
  private(set) var events = 0
  /// The submission behind each job that the scheduler accepted.
  private(set) var accepted: [JobNumber: String] = [:]
  /// The first error.
  private(set) var problem: String?
  var now = Instant(nanoseconds: 0)
  private var worldBefore: World
  private let isTraced: Bool
  private var lines: [String] = []

  init(_ configuration: Scheduler.Configuration, isTraced: Bool) {
    world = World(configuration: configuration)
    worldBefore = world
    self.isTraced = isTraced
  }

  /// A new process begins without state.
  func watch(_ runtime: JobRuntime, _ groupSlots: [GroupName: Int]) {
    world = World(configuration: world.configuration)
    world.groupSlots = groupSlots
    runtime.whenDecided = { [unowned self, unowned runtime] event, effects in
      see(event, effects, runtime.scheduler)
    }
  }

  func beginTurn(at now: Instant) {
    self.now = now
    worldBefore = world
  }

  /// The turn did not happen.
  func undoTurn() { world = worldBefore }

  /// An engine's report on a job that it does not have: it must not change anything.
  func note(lie event: Event) { world.lies.insert(event) }

  func deny(_ what: String) {
    if problem == nil { problem = what }
  }

  /// The lines of a trace for the turn.
  func takeLines() -> [String] {
    defer { lines = [] }
    return lines
  }

  private func see(_ event: Event, _ effects: [Effect], _ core: Scheduler) {
    events += 1
    if isTraced, event.isTelling || effects.contains(where: \.isTelling) {
      lines.append("\(event.text) | \(effects.map(\.text).joined(separator: ", "))")
    }
    guard problem == nil else { return }
    world.take(effects, of: event, at: now, chosen: core.machines(chosenIn: effects))
    noteAcceptance(effects, of: event)
    if case .restore(let number, let submission, let attempt, let phase, let past) = event {
      admit(number, submission, attempt, phase, past, core)
    }
    let broken = world.impossible + core.violatedInvariants
    if !broken.isEmpty { deny("\(broken.joined(separator: "; ")) after \(event.text)") }
    if !event.isRestore {
      let vain = core.waitingInVain
      if !vain.isEmpty {
        deny("jobs \(vain) wait for others that are gone, after \(event.text)")
      }
    }
    let live = core.liveNumbers
    if live != world.live { deny("live are \(live), and should be \(world.live)") }
    if core.lingeringNumbers != world.lingering {
      deny("\(core.lingeringNumbers) linger, and should be \(world.lingering)")
    }
  }

  private func noteAcceptance(_ effects: [Effect], of event: Event) {
    switch event {
    case .submit, .batch: break
    default: return
    }
    for case .announce(let number, let announcement) in effects
    where announcement.kind == .submitted {
      accepted[number] = world.members[number]?.submission.key
    }
    if case .batch(_, let batch) = event { checkWhole(batch, effects) }
  }

  /// All of many in one are accepted, with numbers that follow on each other, or none.
  private func checkWhole(_ batch: Batch, _ effects: [Effect]) {
    let numbers = effects.compactMap { effect -> JobNumber? in
      guard case .announce(let number, let announcement) = effect,
        announcement.kind == .submitted
      else { return nil }
      return number
    }
    guard let first = numbers.first else { return }
    let expected = (0..<batch.count).map { JobNumber(first.value + UInt64($0)) }
    if numbers != expected { deny("of \(batch.count) jobs in one, \(numbers) are accepted") }
  }

  /// Adds an earlier runner's stored job to the second model.
  private func admit(
    _ number: JobNumber, _ submission: Submission, _ attempt: Int, _ phase: RestoredPhase,
    _ past: PastAttempts, _ core: Scheduler
  ) {
    var member = World.Member(stage: .inLine, submission: submission)
    member.attempt = attempt
    member.machine = past.machine
    if past.failures > 0 || past.spent > .zero { member.home = past.machine }
    switch phase {
    case .queued:
      member.attempt = attempt - 1
      member.home = past.machine
    case .delayed:
      member.attempt = attempt - 1
      member.stage = .aside
    case .launching(let gpus):
      member.stage = .active(stopping: false)
      member.isLaunching = member.engine == nil
      member.gpus = gpus
    case .running(let gpus, _, let stalledSince):
      member.home = past.machine
      member.stage = .active(stopping: false)
      member.gpus = gpus
      member.promptSince = stalledSince
    case .paused(let gpus, _, let pause):
      member.home = past.machine
      member.stage = .active(stopping: false)
      member.gpus = gpus
      (member.pause, member.isFrozen) = (pause, true)
      member.mayLackSlot = !pause.keepsSlot
    case .stopping(let gpus, _, _):
      member.home = past.machine
      member.stage = .active(stopping: true)
      member.gpus = gpus
    case .lingering(let gpus):
      member.stage = .ended
      member.lingers = true
      member.gpus = gpus
    }
    member.position = submission.seat.map { Double($0) / 1_048_576 } ?? Double(number.value)
    world.members[number] = member
    let share = world.share(of: member)
    world.members[number]?.share = share
    world.noteTime(of: number)
    world.noteRestored(phase, of: number)
    for waiting in world.live {
      guard case .queued(let reason)? = core.snapshot(waiting)?.state else { continue }
      let isAside = [.after, .retry, .notBefore, .held, .budget].contains(reason.code)
      world.members[waiting]?.stage = isAside ? .aside : .inLine
    }
    world.noteLine(at: now)
  }
}

extension Scheduler {
  /// The machines of pools on which these effects launch jobs.
  package func machines(chosenIn effects: [Effect]) -> [JobNumber: String] {
    var chosen: [JobNumber: String] = [:]
    for case .launch(let number, _, _) in effects { chosen[number] = snapshot(number)?.machine }
    return chosen
  }
}

extension Event {
  package var isRestore: Bool { if case .restore = self { true } else { false } }

  /// Whether a trace shows it even without a result.
  fileprivate var isTelling: Bool {
    switch self {
    case .deadline, .timeOfDay, .sampled, .machine, .surveyed: false
    default: true
    }
  }
}

extension Effect {
  /// Looks and probes are the pulse of a runner; a trace leaves them out.
  fileprivate var isTelling: Bool {
    switch self {
    case .sample, .probe, .survey: false
    default: true
    }
  }
}
