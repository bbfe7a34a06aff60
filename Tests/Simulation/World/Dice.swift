package import JobCore
package import TestKit

/// Everything that is left to chance in a simulated world, all from one seed.
package struct Dice {
  package var generator: SeededGenerator

  package init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  /// True with this probability: one in `oneIn`.
  package mutating func chance(_ oneIn: Int) -> Bool {
    Int.random(in: 0..<oneIn, using: &generator) == 0
  }

  package mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &generator)]
  }

  package mutating func number(in range: ClosedRange<UInt64>) -> UInt64 {
    UInt64.random(in: range, using: &generator)
  }

  /// A length between zero and `most` milliseconds.
  package mutating func milliseconds(_ most: UInt64) -> Interval {
    .milliseconds(number(in: 0...most))
  }

  private static let identifiers = (1...12).compactMap { JobIdentifier("test.\($0)") }

  package static var anybody: JobIdentifier { identifiers[0] }

  private static let groups = ["render", "train"].compactMap { GroupName($0) }

  package mutating func group() -> JobSelection { .group(pick(Dice.groups)) }

  /// Slots of some groups.
  package mutating func groupSlots() -> [GroupName: Int] {
    var slots: [GroupName: Int] = [:]
    for group in Dice.groups where chance(2) { slots[group] = Int(number(in: 1...3)) }
    return slots
  }
  /// The engines, with their limits of attempts.
  package static let engines = ["cluster": 2, "tower": 1, "attic": 2]
  /// The machines of each pool, and each of them as its own.
  package static let pools = [
    "boxes": [MachineName.here, "tower", "attic"], "tower": ["tower"], "attic": ["attic"],
  ]

  private static let bundles = ["test", "test.other"].compactMap { JobIdentifier($0) }

  /// A submission with any mix of rules; few identifiers, so that jobs meet their namesakes.
  ///
  /// `now`: the time of day, to which its earliest time is near.
  package mutating func submission(key: String, at now: WallTime) -> Submission {
    var submission = Submission(
      key: key, identifier: pick(Dice.identifiers), speaksPage: chance(2))
    submission.options.strategy = chance(5) ? .fail : .queue
    submission.options.ifExists = pick(Submission.IfExists.allCases)
    submission.options.onStall = pick([.ask, .ask, .continue, .stop])
    submission.options.stallAfter = .seconds(number(in: 0...10))
    if chance(2) { submission.options.silentAfter = .seconds(number(in: 0...20)) }
    submission.options.grace = .seconds(number(in: 0...10))
    if chance(3) { submission.options.onSlow = .ignore }
    if chance(5) { submission.options.answerWithin = .seconds(number(in: 1...600)) }
    if chance(5) { submission.options.limit = .seconds(number(in: 0...60)) }
    submission.options.resumable = chance(2)
    submission.options.retries = chance(3) ? 2 : 0
    submission.options.requirements = requirements()
    if chance(3) {
      submission.options.engine = pick(Dice.engines.keys.sorted() + ["boxes", "boxes"])
    }
    if chance(2) { submission.options.priority = pick(Submission.Priority.allCases) }
    if chance(20) { submission.isHeld = true }
    if chance(3) { submission.options.group = pick(Dice.groups) }
    if chance(12) { submission.options.slots = 2 }
    if chance(30), submission.options.engine == nil || submission.options.engine == "boxes" {
      submission.options.isExclusive = true
    }
    if chance(4) { submission.options.retriesExpired = true }
    if chance(3) {
      schedule(&submission)
    } else if chance(2) {
      submission.bundle = pick(Dice.bundles)
    }
    if chance(submission.options.kind.isScheduled ? 2 : 10) {
      let delay = Int64(number(in: 0...180_000)) - 20_000
      submission.notBefore = WallTime(milliseconds: now.milliseconds + delay)
    }
    return submission
  }

  /// Many submissions in one, which are of the kinds that can be.
  package mutating func batch(key: String, at now: WallTime) -> Batch {
    var stem = submission(key: key + " no. ", at: now)
    stem.options.strategy = .queue
    stem.options.ifExists = .refuse
    stem.options.kind = .continued
    stem.bundle = nil
    stem.options.halts = chance(3)
    stem.options.haltsSoon = chance(3)
    stem.options.haltsOnSuccess = chance(4)
    if chance(3) { stem.options.haltAfter = 2 }
    if chance(4) { stem.options.startsApart = .milliseconds(number(in: 1...60_000)) }
    return Batch(stem, count: Int(number(in: 1...5)))
  }

  private mutating func schedule(_ submission: inout Submission) {
    submission.options.kind = chance(4) ? .push : chance(3) ? .refresh : .processing
    submission.bundle = pick(Dice.bundles)
    submission.options.limit = submission.options.limit ?? submission.options.kind.defaultLimit
    if chance(2) { submission.options.requirements.power = true }
  }

  /// Random settings of bundles.
  package mutating func settings() -> [JobIdentifier: BundleSettings] {
    var all: [JobIdentifier: BundleSettings] = [:]
    for bundle in Dice.bundles where !chance(3) {
      var settings = BundleSettings()
      if chance(2) { settings.background = chance(2) }
      if chance(2) { settings.slots = Int(number(in: 1...2)) }
      if chance(3) { settings.gpu = chance(2) }
      if chance(3) { settings.network = chance(2) }
      all[bundle] = settings
    }
    return all
  }

  private mutating func requirements() -> Requirements {
    var demand = Requirements()
    if chance(4) { demand.gpuCount = Int(number(in: 1...3)) }
    if chance(8) { demand.gpuMemoryBytes = number(in: 0...90) }
    if chance(5) { demand.memoryBytes = number(in: 1...110) }
    if chance(10) { demand.diskBytes = number(in: 1...110) }
    if chance(12) { demand.processors = Int(number(in: 1...9)) }
    demand.network = chance(6)
    demand.power = chance(10)
    demand.whenIdle = chance(10)
    return demand
  }

  /// A machine on which some resources are in use, or missing.
  package mutating func facts() -> MachineFacts {
    var facts = MachineFacts.generous
    for index in facts.gpus.indices {
      if chance(5) { facts.gpus[index].processes = 1 }
      if chance(5) { facts.gpus[index].memoryFreeBytes = number(in: 0...80) }
    }
    if chance(8) { facts.gpus.removeLast(Int(number(in: 1...3))) }
    if chance(10), let first = facts.gpus.first { facts.gpus.append(first) }
    if chance(4) { facts.memoryAvailableBytes = number(in: 0...100) }
    if chance(4) { facts.diskFreeBytes = number(in: 0...100) }
    facts.network.holds = !chance(4)
    facts.power.holds = !chance(4)
    return facts
  }
}

extension MachineFacts {
  /// A machine that has enough of everything that `Dice` requires.
  package static var boundless: MachineFacts {
    var facts = MachineFacts.generous
    for index in facts.gpus.indices {
      facts.gpus[index].memoryTotalBytes = 200
      facts.gpus[index].memoryFreeBytes = 200
    }
    (facts.processors, facts.memoryTotalBytes, facts.memoryAvailableBytes) = (100, 200, 200)
    (facts.diskTotalBytes, facts.diskFreeBytes) = (200, 200)
    return facts
  }

  /// A machine with all resources, all of them free.
  package static var generous: MachineFacts {
    let gpus = (0..<3).map { index in
      GPU(
        uuid: "GPU-\(index)", name: "H200", memoryTotalBytes: 80, memoryFreeBytes: 80, processes: 0)
    }
    let holds = Condition(holds: true, why: "")
    return MachineFacts(
      gpus: gpus, gpuWhy: "", processors: 8, memoryTotalBytes: 100, memoryAvailableBytes: 100,
      diskTotalBytes: 100, diskFreeBytes: 100, network: holds, power: holds)
  }
}
