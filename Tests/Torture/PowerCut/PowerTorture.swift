import JobCore
import JobWire
import LinuxSystem
import TestKit

/// One run: the machine loses its power repeatedly while jobs come and go, and with it all unflushed writes;
/// each time it boots under another boot id.
///
/// Or only its disk fails, with all processes that have files there: the boot and the memory stay.
final class PowerTorture {
  let settings: Settings
  let workplace: Workplace
  private let machine: Machine
  private var random: SeededGenerator
  private(set) var errands: [PoweredErrand] = []
  /// Of this boot, from the first event on.
  private var feed: Feed
  /// All feed lines before some cut, in order.
  private(set) var told: [Feed.Event] = []
  private(set) var boot = 0
  private var cuts = Cuts()
  var violations: [Violation] = []
  private let startedAt = AwakeClock.now()

  struct Cuts {
    var count = 0
    var keptSectors = 0
    var lostSectors = 0
  }

  private static let kinds: [Kind] = [
    .short, .short, .short, .code, .long, .plain, .forking, .progress, .paged, .declared, .crashed,
    .resumable, .resumable,
  ]
  private static let commandLimit = 6
  private static let liveLimit = 24

  init(_ settings: Settings) throws {
    self.settings = settings
    random = SeededGenerator(seed: settings.seed)
    var machine: Machine?
    workplace = try Workplace { machine = try Machine($0, keepsMemory: settings.fault == .disk) }
    guard let machine else { throw Machine.Failure(description: "there is no machine") }
    self.machine = machine
    feed = try Feed(workplace, name: "feed-0")
  }

  func run() throws -> Report {
    tell("\(settings.command) (\(workplace.sandbox.root))")
    while cuts.count < settings.kills, !isOutOfTime {
      let end = AwakeClock.now() + drawDelay()
      while AwakeClock.now() < end {
        try submitOne()
        try pause(UInt64(random.next(upTo: 60)) * Torture.millisecond)
      }
      try cutPower()
      if cuts.count % 20 == 0 {
        tell("\(cuts.count) cuts, \(errands.count) submissions, \(seconds) s")
      }
    }
    try drain()
    let stored = try workplace.storedJobs(reportingTo: &violations)
    PowerAudit(
      told: told, events: feed.events, stored: stored, lastBoot: boot,
      interruption: settings.fault == .disk ? .supervisorLost : .reboot, workplace: workplace
    )
    .report(on: errands, to: &violations)
    feed.end()
    let report = Report(
      [
        (settings.fault == .disk ? "disks lost" : "power cuts", "\(cuts.count)"),
        ("sectors lost", "\(cuts.lostSectors)"),
        ("kept unasked", "\(cuts.keptSectors)"),
      ], violations, feed.events, workplace, seconds: seconds, command: settings.command)
    try machine.shutDown()
    return report
  }

  private var seconds: Int { Int((AwakeClock.now() - startedAt) / Torture.second) }

  private var isOutOfTime: Bool { settings.seconds.map { seconds >= $0 } ?? false }

  /// Often while the runner still restores the state after the cut before.
  private func drawDelay() -> UInt64 {
    let milliseconds = random.next(upTo: 10) < 4 ? random.next(upTo: 200) : random.next(upTo: 1500)
    return UInt64(milliseconds) * Torture.millisecond
  }

  private func submitOne() throws {
    let underWay = errands.count { $0.errand.finished == nil && $0.boot == boot }
    guard underWay < Self.commandLimit, feed.live.count < Self.liveLimit else { return }
    let hundredths = 1 + random.next(upTo: 60)
    let plan = Plan(
      name: "errand-\(errands.count + 1)", kind: Self.kinds[random.next(upTo: Self.kinds.count)],
      seconds: "0.\(hundredths / 10)\(hundredths % 10)", code: random.next(upTo: 2) == 0 ? 0 : 7,
      isWatched: false)
    let command = try workplace.start(plan.arguments(script: workplace.script(of: plan.kind)))
    errands.append(PoweredErrand(errand: Errand(plan, command), boot: boot))
  }

  private func pause(_ nanoseconds: UInt64) throws {
    let end = AwakeClock.now() + nanoseconds
    repeat {
      try attend()
      _ = try Poll.wait([], until: min(end, AwakeClock.now() + 3 * Torture.millisecond))
    } while AwakeClock.now() < end
  }

  private func attend() throws {
    for errand in errands where errand.boot == boot { _ = try errand.errand.attend() }
    try feed.read()
  }

  /// Lines received until now must exist afterwards; lines between this moment and the cut may or may not.
  private func cutPower() throws {
    try attend()
    noteTold()
    let cut = try machine.cutPower(seed: random.next())
    cuts.count += 1
    cuts.keptSectors += cut.kept
    cuts.lostSectors += cut.lost
    boot += 1
    try machine.powerOn(boot: boot)
    feed = try Feed(workplace, name: "feed-\(boot)")
  }

  private func noteTold() {
    for place in errands.indices where errands[place].boot == boot {
      errands[place].acknowledged = errands[place].errand.toldNumber
    }
    violations += feed.faults.map { Violation(.gap, "the feed of boot \(boot): \($0)") }
    // A feed that has not yet reached the position of the one before has no new lines.
    if feed.events.count > told.count { told = feed.events }
  }

  private func drain() throws {
    let deadline = AwakeClock.now() + 120 * Torture.second
    while AwakeClock.now() < deadline {
      try pause(5 * Torture.millisecond)
      let isIdle = errands.allSatisfy { $0.errand.finished != nil || $0.boot < boot }
      if isIdle, feed.lastSequence >= told.last?.sequence ?? 0, feed.live.isEmpty,
        try feed.hasToldAll()
      {
        break
      }
    }
    noteTold()
  }
}

/// A submission, and its confirmation before the power cut.
struct PoweredErrand {
  let errand: Errand
  /// The boot in which it was made, from 0.
  let boot: Int
  /// The number that its command had printed by then; nil while it was running.
  var acknowledged: JobNumber?
}
