import JobCore
import JobWire
import LinuxSystem
import TestKit

/// One run: jobs of every kind come and go while the runner is killed again and again.
final class Torture {
  let settings: Settings
  let workplace: Workplace
  let feed: Feed
  var random: SeededGenerator
  var errands: [Errand] = []
  /// Commands that cancel a job, and the job's title.
  var cancellations: [(title: String, command: Command)] = []
  /// The times at which jobs will be cancelled, by title.
  var cancelAt: [String: UInt64] = [:]
  /// Jobs whose supervisor was killed.
  var orphans: Set<JobNumber> = []
  /// The shortages so far.
  var shortages: [Shortage.Episode] = []
  /// Paused jobs, and planned pauses.
  var pauses: [PausedErrand] = []
  var pauseCommands: [Command] = []
  /// Commands that hold, release, move or edit a job that waits.
  var steeringCommands: [Command] = []
  /// The time at which the group with one slot starts jobs again; nil = no job waits for that.
  var resumeGroupAt: UInt64?
  /// Held jobs, and the times of their release.
  var releaseAt: [JobNumber: UInt64] = [:]
  var kills = Kills()
  var violations: [Violation] = []
  /// Files that were replaced, maybe just when the runner had tidied up after their job.
  var replaced: Set<String> = []
  /// Processes that are stopped now.
  var stopped: [StoppedProcess] = []
  private let startedAt = AwakeClock.now()
  private var victim: ProcessIdentity?

  struct Kills {
    var runners = 0
    var commands = 0
    var shims = 0
    /// Of the supervisors that stand ready to be copied.
    var ready = 0
    /// Processes of every sort that were stopped for a while.
    var stops = 0
    /// Jobs that were paused for a while.
    var pauses = 0
    /// Jobs that waited and were held, released, moved or edited.
    var steered = 0
    /// Lock, socket or log of the runner; record, order or log of a job.
    var files = 0
    /// Parts of the store that were removed or replaced while a runner had them open.
    var stores = 0
    /// How often each ran out.
    var shortages: [Shortage: Int] = [:]
  }

  /// Nanoseconds.
  static let millisecond: UInt64 = 1_000_000
  static let second: UInt64 = 1_000_000_000

  init(_ settings: Settings) throws {
    self.settings = settings
    random = SeededGenerator(seed: settings.seed)
    workplace =
      try settings.fault == .scarce
      ? Workplace(engines: [], preparing: Shortage.prepare) : Workplace()
    feed = try Feed(workplace, name: "feed", mayBeRefused: settings.fault == .scarce)
  }

  /// Runs the whole torture and returns the report.
  func run() throws -> Report {
    tell("\(settings.command) (\(workplace.sandbox.root))")
    _ = try workplace.run(["group", Self.narrowGroup, "--slots", "1"])
    var due = 0
    while due < settings.kills, !isOutOfTime {
      try submitSome()
      let runner = try awaitRunner()
      try pause(drawDelay())
      try settings.fault == .scarce ? sufferShortage(runner) : disturb(runner)
      due += 1
      if due % 100 == 0 {
        tell("\(due) times, \(errands.count) submissions, \(seconds) s")
      }
    }
    try drain()
    try audit()
    return Report(self)
  }

  private func disturb(_ runner: ProcessIdentity) throws {
    if settings.fault == .disturb, random.next(upTo: 8) == 0 { try damageStore(of: runner) }
    if random.next(upTo: 2) == 0 { try pauseSome() }
    if random.next(upTo: 2) == 0 { try steerSome() }
    if random.next(upTo: 6) == 0 { killShim() }
    if random.next(upTo: 4) == 0, killReadyShim(of: runner) { try pause(drawDelay()) }
    if settings.fault == .disturb {
      if random.next(upTo: 4) == 0 { stopSomebody() }
      if random.next(upTo: 6) == 0 { takeAwayFile() }
    }
    // While it lives, or while it is down.
    let replaces = settings.fault == .disturb && random.next(upTo: 4) == 0
    let isFirst = random.next(upTo: 2) == 0
    if replaces, isFirst { replaceFile() }
    killRunner(runner)
    if replaces, !isFirst { replaceFile() }
  }

  /// Every third time the runner dies during the shortage.
  private func sufferShortage(_ runner: ProcessIdentity) throws {
    let shortage = Shortage.possible[random.next(upTo: Shortage.possible.count)]
    let begin = WallTime(milliseconds: WallClock.now())
    try shortage.begin(workplace, runner)
    kills.shortages[shortage, default: 0] += 1
    try submitSome()
    try pause(UInt64(random.next(upTo: shortage.milliseconds)) * Self.millisecond)
    let killsRunner = random.next(upTo: 3) == 0
    if killsRunner { killRunner(runner) }
    let killed = try shortage.end(workplace, runner)
    shortages.append(
      Shortage.Episode(
        shortage: shortage, time: begin...WallTime(milliseconds: WallClock.now()),
        runnerWasKilled: killsRunner, killedByKernel: killed))
  }

  var seconds: Int { Int((AwakeClock.now() - startedAt) / Self.second) }

  private var isOutOfTime: Bool { settings.seconds.map { seconds >= $0 } ?? false }

  /// Waits for a runner that was not killed yet: some command starts it.
  private func awaitRunner() throws -> ProcessIdentity {
    let deadline = AwakeClock.now() + 120 * Self.second
    while AwakeClock.now() < deadline {
      if let runner = workplace.runner, runner != victim { return runner }
      try pause(Self.millisecond)
    }
    throw Overdue(
      awaited: "a runner to be started by some command", limit: .seconds(120),
      seen: workplace.text(workplace.paths.runnerLog))
  }

  /// Mostly within the first moments, when the runner restores the state of the one before; rarely long enough
  /// for a verdict on a silent job.
  private func drawDelay() -> UInt64 {
    switch random.next(upTo: 100) {
    case ..<35: UInt64(random.next(upTo: 15_000)) * 1000
    case ..<85: UInt64(random.next(upTo: 200)) * Self.millisecond
    case ..<98: UInt64(random.next(upTo: 600)) * Self.millisecond
    default: UInt64(1500 + random.next(upTo: 1500)) * Self.millisecond
    }
  }

  private func killRunner(_ runner: ProcessIdentity) {
    victim = runner
    guard let process = try? ProcessDescriptor(runner),
      (try? process.signal(Signal.kill)) ?? false
    else { return }
    kills.runners += 1
  }

  /// Kills the supervisor of a job that runs, chosen by chance.
  private func killShim() {
    guard let running = drawRunning(), let process = try? ProcessDescriptor(running.supervisor),
      (try? process.signal(Signal.kill)) ?? false
    else { return }
    orphans.insert(running.number)
    kills.shims += 1
  }

  /// An attempt whose worker runs, as its record tells.
  func drawRunning() -> (number: JobNumber, record: String, supervisor: ProcessIdentity)? {
    let records = workplace.names(in: workplace.paths.runRecords)
    guard !records.isEmpty else { return nil }
    let name = records[random.next(upTo: records.count)]
    let record = workplace.paths.runRecords + "/" + name
    guard (try? File.status(record, followingLinks: false))??.kind == .file else { return nil }
    let lines = workplace.text(record).split(separator: "\n")
    guard lines.count == 1, let words = lines.first?.split(separator: " "), words.count == 5,
      let pid = Int32(words[3]), let start = UInt64(words[4]),
      let number = name.split(separator: ".").first.flatMap({ UInt64($0) })
    else { return nil }
    return (JobNumber(number), record, ProcessIdentity(pid: pid, startTime: start))
  }

  /// Kills the template supervisor of a runner, perhaps during a fork; false without one.
  ///
  /// A copy that is just being made looks like it, and supervises a job a moment later: of two it is not known
  /// which is which.
  private func killReadyShim(of runner: ProcessIdentity) -> Bool {
    let ready = workplace.readySupervisors(of: runner)
    guard ready.count == 1, let process = try? ProcessDescriptor(ready[0]),
      (try? process.signal(Signal.kill)) ?? false
    else { return false }
    kills.ready += 1
    return true
  }

  /// Waits while handling all current work.
  func pause(_ nanoseconds: UInt64) throws {
    let end = AwakeClock.now() + nanoseconds
    repeat {
      try attend()
      let step = min(end, AwakeClock.now() + 3 * Self.millisecond)
      _ = try Poll.wait([], until: step)
    } while AwakeClock.now() < end
  }

  /// Handles ended commands, commands to kill, the feed, and jobs to cancel.
  private func attend() throws {
    letGoOn()
    for errand in errands where try errand.attend() { kills.commands += 1 }
    try feed.read()
    try cancelWhatIsDue()
    try resumeWhatIsDue()
    try releaseWhatIsDue()
  }
}

extension SeededGenerator {
  /// 0..<limit.
  mutating func next(upTo limit: Int) -> Int { Int(next() % UInt64(limit)) }
}
