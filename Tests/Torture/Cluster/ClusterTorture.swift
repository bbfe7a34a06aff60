import JobCore
import JobWire
import LinuxSystem
import TestKit

/// One run: jobs come and go on two engines of one real Slurm while runner, helpers and controller are killed
/// repeatedly, and Slurm's own commands fail, lie or are late.
final class ClusterTorture {
  let settings: Settings
  let workplace: Workplace
  private let cluster: SlurmCluster
  private let feed: Feed
  private var random: SeededGenerator
  private var errands: [Errand] = []
  private var kills: [Victim: Int] = [:]
  private var violations: [Violation] = []
  private var controllerRestsUntil: UInt64 = 0
  private let startedAt = AwakeClock.now()

  enum Victim: String, CaseIterable {
    case runner, helper, controller
  }

  private static let kinds: [Kind] = [
    .short, .short, .short, .code, .code, .long, .plain, .progress, .paged, .declared, .crashed,
  ]
  /// They share only the controller and the folder.
  private static let engines = ["cluster", "cluster-2"]
  private static let commandLimit = 8
  private static let liveLimit = 40

  init(_ settings: Settings) throws {
    self.settings = settings
    random = SeededGenerator(seed: settings.seed)
    let missing = Machine.Failure(
      description: "no Slurm is installed (Debian: apt install slurm-wlm munge)")
    if !SlurmCluster.isInstalled { throw missing }
    var cluster: SlurmCluster?
    workplace = try Workplace(engines: Self.engines) { sandbox in
      cluster = try SlurmCluster(sandbox, processors: 16)
      return try BadDay.prepare(sandbox, cluster?.environment ?? [:])
    }
    guard let cluster else { throw missing }
    self.cluster = cluster
    feed = try Feed(workplace, name: "feed")
  }

  func run() throws -> Report {
    tell("\(settings.command) (\(workplace.sandbox.root))")
    var count = 0
    while count < settings.kills, !isOutOfTime {
      try submitSome()
      try pause(drawDelay())
      try killSomebody()
      count += 1
      if count % 100 == 0 { tell("\(count) kills, \(errands.count) submissions, \(seconds) s") }
    }
    try drain()
    try audit()
    cluster.stop()
    return Report(
      Victim.allCases.map { ("\($0.rawValue)s killed", "\(kills[$0] ?? 0)") }, violations,
      feed.events, workplace, seconds: seconds, command: settings.command)
  }

  private var seconds: Int { Int((AwakeClock.now() - startedAt) / Torture.second) }

  private var isOutOfTime: Bool { settings.seconds.map { seconds >= $0 } ?? false }

  /// Every other time while the runner still restores the state of the one before; otherwise mostly long enough
  /// for a helper to reconcile its attempts.
  private func drawDelay() -> UInt64 {
    UInt64(random.next(upTo: random.next(upTo: 2) == 0 ? 200 : 5_000)) * Torture.millisecond
  }

  private func submitSome() throws {
    for _ in 0..<(1 + random.next(upTo: 3)) {
      let underWay = errands.count { $0.finished == nil }
      guard underWay < Self.commandLimit, feed.live.count < Self.liveLimit else { return }
      let hundredths = 1 + random.next(upTo: 60)
      var plan = Plan(
        name: "errand-\(errands.count + 1)",
        kind: Self.kinds[random.next(upTo: Self.kinds.count)],
        seconds: "0.\(hundredths / 10)\(hundredths % 10)",
        code: [0, 1, 7, 64, 255][random.next(upTo: 5)], isWatched: random.next(upTo: 6) == 0)
      plan.engine = Self.engines[random.next(upTo: Self.engines.count)]
      let command = try workplace.start(plan.arguments(script: workplace.script(of: plan.kind)))
      errands.append(Errand(plan, command))
    }
  }

  private func killSomebody() throws {
    let victim = drawVictim()
    switch victim {
    case .controller:
      controllerRestsUntil = AwakeClock.now() + 12 * Torture.second
      cluster.killController()
      try pause(UInt64(random.next(upTo: 300)) * Torture.millisecond)
      try cluster.restartController()
    case .runner: guard let runner = workplace.runner, kill(runner.pid) else { return }
    case .helper:
      let helpers = workplace.helpers(of: workplace.runner)
      guard !helpers.isEmpty, kill(helpers[random.next(upTo: helpers.count)]) else { return }
    }
    kills[victim, default: 0] += 1
  }

  /// A new controller knows its nodes only after a few seconds: before that no job runs.
  private func drawVictim() -> Victim {
    let draw = random.next(upTo: 10)
    if draw == 9, AwakeClock.now() >= controllerRestsUntil { return .controller }
    return draw < 6 ? .runner : .helper
  }

  private func kill(_ pid: Int32) -> Bool {
    guard let process = try? ProcessDescriptor(pid) else { return false }
    return (try? process.signal(Signal.kill)) ?? false
  }

  private func pause(_ nanoseconds: UInt64) throws {
    let end = AwakeClock.now() + nanoseconds
    repeat {
      for errand in errands { _ = try errand.attend() }
      try feed.read()
      _ = try Poll.wait([], until: min(end, AwakeClock.now() + 3 * Torture.millisecond))
    } while AwakeClock.now() < end
  }

  private func drain() throws {
    // An allocation that Slurm calls running and no node has is given up after ten minutes.
    let deadline = AwakeClock.now() + 900 * Torture.second
    while AwakeClock.now() < deadline {
      try pause(20 * Torture.millisecond)
      if errands.allSatisfy({ $0.finished != nil }), feed.live.isEmpty, try feed.hasToldAll() {
        return
      }
    }
  }

  /// Each job was accepted once, ran once, and ended as intended; no files or processes are left.
  private func audit() throws {
    let stored = try workplace.storedJobs(reportingTo: &violations)
    JobAudit.report(on: errands, stored, feed, workplace, to: &violations)
    violations += feed.faults.map { Violation(.gap, "the feed: \($0)") }
    feed.end()
    // Duplicate submissions end by themselves, at once.
    let deadline = AwakeClock.now() + 60 * Torture.second
    var queue = ""
    repeat {
      queue = try cluster.call("squeue", "--me", "-h")
    } while !queue.isEmpty
      && AwakeClock.now() < deadline
    if !queue.isEmpty { violations.append(Violation(.left, "in Slurm's queue is left: \(queue)")) }
    _ = try workplace.run(["runner", "stop"])
    // The next helper removes the leftovers of the ones before.
    for engine in Self.engines { _ = try workplace.run(["run", "--on", engine, "--", "true"]) }
    let shared = workplace.sandbox.path("shared")
    for store in workplace.names(in: shared) {
      for engine in Self.engines {
        let jobs = "\(shared)/\(store)/\(engine)/jobs"
        for name in workplace.names(in: jobs) {
          if (try? WaitFor.noFile("\(jobs)/\(name)", within: .seconds(60))) != nil { continue }
          violations.append(Violation(.left, "\(jobs)/\(name) is left"))
        }
      }
    }
  }
}
