import JobCore
import JobWire
import LinuxSystem
import TestKit

extension Torture {
  /// Commands that run at the same time, and jobs that live.
  private static let commandLimit = 10
  private static let liveLimit = 40
  private static let patientLimit = 5

  /// Makes a few submissions, as long as the machine has room for them.
  func submitSome() throws {
    for _ in 0..<(1 + random.next(upTo: 3)) {
      let plan = drawPlan()
      guard underWay.count < Self.commandLimit, feed.live.count < Self.liveLimit else { return }
      let command = try workplace.start(plan.arguments(script: workplace.script(of: plan.kind)))
      errands += (1...plan.count).map { Errand(plan, command, place: $0) }
    }
  }

  var underWay: [Errand] { errands.filter { $0.finished == nil } }

  private func drawPlan() -> Plan {
    let hundredths = 1 + random.next(upTo: random.next(upTo: 8) == 0 ? 120 : 15)
    let codes: [Int32] = [0, 1, 7, 42, 63, 64, 130, 255]
    var plan = Plan(
      name: "errand-\(errands.count + 1)", kind: drawKind(), seconds: "0.05", code: 0,
      isWatched: random.next(upTo: 6) == 0)
    plan.seconds = "\(hundredths / 100).\(hundredths % 100 / 10)\(hundredths % 10)"
    plan.code = codes[random.next(upTo: codes.count)]
    let priorities = Submission.Priority.allCases
    plan.priority = priorities[random.next(upTo: priorities.count)]
    if random.next(upTo: 4) == 0 { plan.group = Self.narrowGroup }
    if plan.kind == .plain, !plan.isWatched, random.next(upTo: 3) == 0 {
      plan.count = 2 + random.next(upTo: 4)
    }
    plan.isHeld = random.next(upTo: 8) == 0
    plan.callsAtEnd = settings.fault == .disturb && random.next(upTo: 12) == 0
    if random.next(upTo: 15) == 0 {
      plan.killAfter = UInt64(random.next(upTo: 60_000)) * 1000
    }
    return plan
  }

  private func drawKind() -> Kind {
    // Jobs that write to the disk themselves rightly fail when it is full.
    let kinds = Kind.allCases.filter {
      switch settings.fault {
      case .scarce: !$0.writesOwnFiles && !$0.needsOrder
      case .disturb: !$0.needsOrder
      default: !$0.disturbs
      }
    }
    let total = kinds.reduce(0) { $0 + $1.weight }
    var place = random.next(upTo: total)
    for kind in kinds {
      place -= kind.weight
      guard place < 0 else { continue }
      return kind.isPatient && patientCount >= Self.patientLimit ? .short : kind
    }
    return .short
  }

  private var patientCount: Int {
    errands.filter { errand in
      errand.kind.isPatient && feed.jobs[errand.name]?.state != .ended
    }.count
  }

  /// Cancels each job of that kind a moment after it began, and again if that had no effect.
  func cancelWhatIsDue() throws {
    let now = AwakeClock.now()
    for errand in errands where errand.kind.isCancelled {
      guard let job = feed.jobs[errand.name], job.state != .ended, job.state != .stopping else {
        continue
      }
      guard let due = cancelAt[errand.name] else {
        cancelAt[errand.name] = now + UInt64(random.next(upTo: 300)) * Self.millisecond
        continue
      }
      guard due <= now else { continue }
      cancelAt[errand.name] = now + 2 * Self.second
      let isAtOnce = random.next(upTo: 3) == 0
      let command = try workplace.start(
        ["cancel", "\(job.number)"] + (isAtOnce ? ["--now"] : []))
      cancellations.append((errand.name, command))
    }
  }

  /// Waits until all current work has ended, without further kills.
  func drain() throws {
    let limit = 300
    let deadline = AwakeClock.now() + UInt64(limit) * Self.second
    while AwakeClock.now() < deadline {
      try pause(5 * Self.millisecond)
      if underWay.isEmpty, feed.live.isEmpty, stopped.isEmpty, pauseCommands.isEmpty,
        steeringCommands.isEmpty,
        cancellations.allSatisfy({ !$0.command.isRunning }),
        try feed.hasToldAll()
      {
        return
      }
    }
    for errand in underWay {
      violations.append(
        Violation(.lost, "its command has not ended \(limit) s after the last kill", errand))
    }
  }
}
