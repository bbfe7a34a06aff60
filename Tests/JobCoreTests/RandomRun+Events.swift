import JobCore
import SimulatedWorld

extension RandomRun {
  /// Anything that may happen next, likely or not, in the right order or not.
  mutating func randomEvent() -> Event {
    switch Int.random(in: 0..<128, using: &dice.generator) {
    case 0..<20:
      return chance(15)
        ? .batch(newTag(), randomBatch()) : .submit(newTag(), randomSubmission())
    case 112..<122: return steering()
    case 20..<24: return .cancel(newTag(), anyNumber(), now: chance(3))
    case 24..<25: return .withdraw(newTag(), anyNumber())
    case 25..<30: return .answer(newTag(), anyAsked(), continues: !chance(3))
    case 30..<34: return .machine(dice.facts())
    case 34..<35: return survey(of: pick(["tower", "attic"]))
    case 35..<36: return .hostLost(anyNumber(), "process 7 has ended")
    case 36..<51: return workerStarts()
    case 51..<84: return report(of: anyActive())
    case 84..<91: return workerEnds()
    case 91..<92: return chance(2) ? .groups(dice.groupSlots()) : .deadline
    case 92..<93: return redo()
    case 93..<94:
      clockShift += Int64.random(in: -60_000...60_000, using: &dice.generator)
      return .timeOfDay(timeOfDay)
    case 94..<99:
      let number = chance(3) ? anyNumber() : anyActive()
      return .simulate(newTag(), number, pick(Simulation.allCases))
    case 99..<104:
      let number = chance(4) ? anyNumber() : anyActive()
      return .pause(newTag(), number, keepsSlot: chance(3), length: pauseLength())
    case 104..<108: return .resume(newTag(), anyPaused())
    case 108:
      let some = chance(2) ? dice.group() : nil
      return chance(2)
        ? .pauseAll(newTag(), keepsSlot: chance(3), length: pauseLength(), in: some)
        : .resumeAll(newTag(), in: some)
    case 109:
      if chance(2), case .group(let group) = dice.group() { return .pauseGroup(group, chance(3)) }
      return chance(3) ? .start(newTag(), anyNumber()) : .pauseRunner(chance(3))
    case 110: return waitsElsewhere()
    case 122..<126: return hasSettings ? .settings(dice.settings()) : .deadline
    case 126:
      return .busy(
        pressure: hasSettings && chance(3) ? "memory is short" : nil,
        presence: hasSettings && chance(3) ? "somebody is there" : nil)
    case 127: return hasSettings && chance(2) ? .saving("the battery is low") : .saving(nil)
    default:
      if chance(4) {
        let range = JobRange(
          first: anyNumber(), count: Int.random(in: 1...9, using: &dice.generator))
        let some: JobSelection? = chance(2) ? .range(range) : chance(2) ? dice.group() : nil
        return .cancelAll(newTag(), now: chance(3), in: some)
      }
      return chance(5) ? .shutdown(discardsQueue: chance(2)) : .deadline
    }
  }

  mutating func survey(of machine: String) -> Event {
    .surveyed(machine, chance(5) ? .silent("no route to host") : .facts(dice.facts()))
  }

  mutating func newTag() -> RequestTag {
    tag += 1
    return RequestTag(tag)
  }

  /// Mostly a live job; sometimes an ended or unknown one.
  private mutating func anyNumber() -> JobNumber {
    let live = core.liveNumbers
    if live.isEmpty || chance(10) {
      return JobNumber(UInt64.random(in: 0...40, using: &dice.generator))
    }
    return pick(live)
  }

  private mutating func anyActive() -> JobNumber {
    let active = core.liveNumbers.filter(world.isActive)
    return active.isEmpty || chance(20) ? anyNumber() : pick(active)
  }

  /// Mostly one whose prompt is open.
  private mutating func anyAsked() -> JobNumber {
    let asked = core.liveNumbers.filter { number in
      if case .stalled? = core.snapshot(number)?.state { true } else { false }
    }
    return asked.isEmpty || chance(5) ? anyNumber() : pick(asked)
  }

  private mutating func pauseLength() -> Interval? {
    chance(2) ? .seconds(UInt64.random(in: 0...60, using: &dice.generator)) : nil
  }

  private mutating func anyPaused() -> JobNumber {
    let paused = core.liveNumbers.filter { world.members[$0]?.pause != nil }
    return paused.isEmpty || chance(5) ? anyNumber() : pick(paused)
  }

  /// Mostly continues from the last sample: no change, a report, or an advance.
  mutating func report(of number: JobNumber) -> Event {
    guard !chance(3), var sample = core.snapshot(number)?.sample else {
      return .sampled(number, randomSample())
    }
    switch Int.random(in: 0..<4, using: &dice.generator) {
    case 0: break
    case 1: sample.completed &+= 1
    default: sample.reports += 1
    }
    return .sampled(number, sample)
  }

  private mutating func attempt(of number: JobNumber) -> Int {
    let attempt = core.snapshot(number)?.attempt ?? 1
    return chance(20) ? attempt + 1 : attempt
  }

  /// Of a job that ended, mostly.
  private mutating func redo() -> Event {
    let number = JobNumber(UInt64.random(in: 0...40, using: &dice.generator))
    let attempt = (world.members[number]?.attempt ?? 0) + 1
    return .redo(newTag(), number, randomSubmission(), attempt: attempt, isForced: chance(3))
  }

  /// Holds, releases, moves or edits a job, mostly a waiting one.
  private mutating func steering() -> Event {
    let waiting = core.queuedNumbers
    let number = waiting.isEmpty || chance(8) ? anyNumber() : pick(waiting)
    switch dice.steering(at: timeOfDay) {
    case .hold: return .hold(newTag(), number)
    case .release: return .release(newTag(), number)
    case .first: return .move(newTag(), number, behind: nil)
    case .behind:
      let other = waiting.isEmpty || chance(8) ? anyNumber() : pick(waiting)
      return .move(newTag(), number, behind: other)
    case .edit(var edit, let after):
      edit.after = after.map { others in
        Set(others.map { _ in anyNumber() }).sorted().map {
          Prerequisite($0, outcome: world.outcomes[$0])
        }
      }
      return .edit(newTag(), number, edit)
    }
  }

  private mutating func workerStarts() -> Event {
    let number = anyActive()
    return .started(number, attempt: attempt(of: number))
  }

  /// Mostly of a job on an engine, and sometimes late.
  private mutating func waitsElsewhere() -> Event {
    let away = core.liveNumbers.filter { world.members[$0]?.engine != nil }
    let number = away.isEmpty || chance(8) ? anyNumber() : pick(away)
    let reason = PendingReason(chance(3) ? .held : .engine, "others are ahead")
    return .pending(number, attempt: attempt(of: number), reason)
  }

  private mutating func workerEnds() -> Event {
    let number = core.lingeringNumbers.isEmpty || chance(2) ? anyActive() : anyLingering()
    if isHosted(number) { return hostedEnds(number) }
    if world.members[number]?.engine != nil, chance(6) {
      return .worked(number, attempt: attempt(of: number))
    }
    let statuses: [RunEnd.Status] = [
      .exited(0), .exited(0), .exited(0), .exited(3), .signalled(9), .cannotStart("no"),
      .supervisorLost, .rebooted, .revoked,
    ]
    let ends: [RunEnd.EngineEnd] = [
      .cancelled("a"), .preempted("b"), .lost("c"), .outOfMemory("d"), .overLimit("e"),
      .refused("f"), .unseen("g"),
    ]
    if world.members[number]?.engine != nil, chance(3) {
      let end = RunEnd(status: .engine(pick(ends)), sample: randomSample())
      return .finished(number, attempt: attempt(of: number), end)
    }
    let delay = Interval.seconds(UInt64.random(in: 0...30, using: &dice.generator))
    let declared = pick([.nothing, .success, .success, .failure, RunEnd.Declared.deferred(delay)])
    let end = RunEnd(status: pick(statuses), declared: declared, sample: randomSample())
    return .finished(number, attempt: attempt(of: number), end)
  }

  private mutating func anyLingering() -> JobNumber { pick(core.lingeringNumbers) }

  private mutating func hostedEnds(_ number: JobNumber) -> Event {
    let statuses: [RunEnd.Status] = [
      .completed, .completed, .hostEnded, .outlives, .outlives, .rebooted, .cannotStart("no"),
    ]
    let declared = pick([.nothing, .success, .failure, RunEnd.Declared.deferred(.seconds(3))])
    let end = RunEnd(status: pick(statuses), declared: declared, sample: randomSample())
    return .finished(number, attempt: attempt(of: number), end)
  }

  private mutating func randomSubmission() -> Submission {
    keys += chance(15) ? 0 : 1
    var submission = dice.submission(key: "\(keys)", at: timeOfDay)
    submission.isHosted = submission.options.kind == .continued && chance(4)
    if submission.isHosted {
      submission.options.speaksPage = true
      submission.options.engine = nil
    }
    if chance(5) { submission.after = randomPrerequisites() }
    return submission
  }

  private mutating func randomBatch() -> Batch {
    keys += chance(15) ? 0 : 1
    var batch = dice.batch(key: "many \(keys)", at: timeOfDay)
    if chance(5) { batch.stem.after = randomPrerequisites() }
    return batch
  }

  /// Mostly live jobs; some that ended, or never were.
  private mutating func randomPrerequisites() -> [Prerequisite] {
    let numbers = Set((0...dice.number(in: 0...2)).map { _ in anyNumber() })
    return numbers.sorted().map {
      Prerequisite($0, anyEnd: chance(3), outcome: world.outcomes[$0])
    }
  }

  mutating func randomSample() -> PageSample {
    var sample = PageSample()
    sample.total = chance(4) ? 0 : pick([10, 10, 11, .max])
    sample.completed = UInt64.random(in: 0...12, using: &dice.generator)
    sample.reports = UInt64.random(in: 0...3, using: &dice.generator)
    sample.logBytes = UInt64.random(in: 0...3, using: &dice.generator)
    if chance(20) {
      sample.quietUntil = chance(5) ? Instant(nanoseconds: .max) : now + .seconds(30)
    }
    return sample
  }

  /// A core that continues after an earlier runner: some jobs wait, some run.
  mutating func restoreSome() {
    let count = UInt64.random(in: 1...6, using: &dice.generator)
    var holders: [String] = ["GPU-0", "GPU-1", "GPU-2"]
    for value in (1...count).shuffled(using: &dice.generator) {
      let number = JobNumber(value)
      var submission = randomSubmission()
      submission.key = "restored \(value)"
      submission.identifier = JobIdentifier("restored.\(value / 2)") ?? submission.identifier
      // Of two with the same identifier, one runs.
      let isQueued = value % 2 == 0 || (value == 1 && chance(2))
      if chance(3) { submission.seat = Int64(dice.number(in: 0...5_000_000)) }
      var gpus: [String] = []
      if isQueued {
        tellRestore(number, submission, .queued)
        continue
      }
      for _ in 0..<submission.options.requirements.gpuCount
      where submission.options.engine == nil {
        gpus += holders.popLast().map { [$0] } ?? []
      }
      let stalledSince = chance(3) ? now : nil
      if chance(5) {
        tellRestore(number, submission, .launching(gpus: gpus))
        continue
      }
      if !submission.isHosted, submission.options.engine == nil, chance(5) {
        var pause = Pause(since: now, stalledSince: stalledSince, keepsSlot: chance(3))
        pause.until = pauseLength().map { now + $0 }
        if chance(3) { pause.waits = PendingReason(.slots, "it waits for a slot") }
        tellRestore(number, submission, .paused(gpus: gpus, sample: randomSample(), pause))
        continue
      }
      if submission.isHosted, chance(3) {
        tellRestore(number, submission, .lingering(gpus: gpus))
        continue
      }
      tellRestore(
        number, submission,
        chance(4)
          ? .stopping(gpus: gpus, StopReason(.user, "stopped"), deadline: now + .seconds(5))
          : .running(gpus: gpus, sample: randomSample(), stalledSince: stalledSince))
    }
  }

  private mutating func tellRestore(
    _ number: JobNumber, _ submission: Submission, _ phase: RestoredPhase
  ) {
    var member = World.Member(stage: .inLine, submission: submission)
    var past = PastAttempts()
    if phase != .queued, let machines = Dice.pools[submission.options.engine ?? ""] {
      past.machine = pick(machines)
    }
    member.machine = past.machine
    if case .launching = phase {} else { member.home = past.machine }
    switch phase {
    case .queued: break
    case .lingering(let gpus):
      member.stage = .ended
      member.lingers = true
      member.gpus = gpus
    case .delayed: member.stage = .aside
    case .launching(let gpus):
      member.stage = .active(stopping: false)
      member.gpus = gpus
      member.attempt = 1
      member.isLaunching = member.engine == nil
    case .paused(let gpus, _, let pause):
      member.stage = .active(stopping: false)
      member.gpus = gpus
      member.attempt = 1
      (member.pause, member.isFrozen) = (pause, true)
      member.mayLackSlot = !pause.keepsSlot
    case .running(let gpus, _, let stalledSince):
      member.stage = .active(stopping: false)
      member.gpus = gpus
      member.attempt = 1
      member.promptSince = stalledSince
    case .stopping(let gpus, _, _):
      member.stage = .active(stopping: true)
      member.gpus = gpus
      member.attempt = 1
    }
    member.submission.isHeld = submission.isHeld && phase == .queued
    member.position = submission.seat.map { Double($0) / 1_048_576 } ?? Double(number.value)
    world.members[number] = member
    world.noteRestored(phase, of: number)
    tell(.restore(number, submission, attempt: 1, phase, past: past))
    for waiting in world.live {
      guard case .queued(let reason)? = core.snapshot(waiting)?.state else { continue }
      let isAside = [.after, .notBefore, .held].contains(reason.code)
      world.members[waiting]?.stage = isAside ? .aside : .inLine
    }
    world.noteLine(at: now)
  }
}
