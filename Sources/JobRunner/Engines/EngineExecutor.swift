import JobCore
import JobPage
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

/// Runs attempts elsewhere: sends orders to the helpers of engines, and handles their reports.
///
/// A new helper gets the state that the last one had: launched attempts are adopted, others launched. The job
/// folders there have the actual state.
final class EngineExecutor: Executor, Part {
  let context: LocalExecutor.Context
  /// By name.
  var links: [String: EngineLink] = [:]
  var attempts: [JobNumber: RemoteAttempt] = [:]
  /// Attempts to forget, for a helper that was not connected.
  var forgotten: [(engine: String, attempt: EngineAttempt)] = []
  /// Attempts given up here; engines end them.
  var left: AttemptsLeft
  /// Engines whose reports crashed earlier runners.
  var mistrusted: Set<String> = []
  private var lastPlace: UInt64 = 0
  /// Engines that this runner has told its live attempts.
  var introduced: Set<String> = []
  /// What machines have said of themselves last, by engine.
  var reports: [String: ResourcesReport] = [:]
  /// Told when a machine has answered, or cannot.
  var answered: (String) -> Void = { _ in }
  /// The runner's name in the folders of engines; nil = not needed yet.
  var storeName: String?

  init(_ context: LocalExecutor.Context) {
    self.context = context
    let path = context.home.paths.attemptsLeft
    left = context.files.suspects.reading(path) { AttemptsLeft(path) } ?? AttemptsLeft(path)
  }

  var home: RunnerHome { context.home }
  var runtime: JobRuntime { context.runtime }
  var notes: RunnerNotes { context.notes }

  var numbers: any Collection<JobNumber> { attempts.keys }

  func runs(_ number: JobNumber) -> Bool { attempts[number] != nil }

  func isObserved(_ number: JobNumber) -> Bool {
    guard let remote = attempts[number], let job = runtime.jobs[number] else { return false }
    return remote.observer.isWanted(for: job)
  }

  var nextDue: Instant? {
    let links = links.values.lazy.compactMap(\.due).min()
    let attempts = attempts.values.lazy.compactMap {
      Self.earlier(
        Self.earlier($0.log?.askAgainAt, $0.transferAgainAt),
        Self.earlier($0.watchAgainAt, $0.startBy))
    }
    return Self.earlier(links, attempts.min())
  }

  func act(at now: Instant) {
    for (engine, link) in links {
      if link.startAt.map({ $0 <= now }) ?? false { open(engine) }
      link.lookAfter(at: now)
    }
    for attempt in attempts.values {
      if let due = attempt.watchAgainAt, due <= now { updateWeight(attempt.name.job) }
      if let due = attempt.startBy, due <= now { withdraw(attempt) }
      if let due = attempt.log?.askAgainAt, due <= now { askForLog(of: attempt) }
      if let due = attempt.transferAgainAt, due <= now { transferAgain(attempt) }
    }
  }

  private static func earlier(_ one: Instant?, _ other: Instant?) -> Instant? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }

  /// The new settings may have the missing engine.
  func settingsChanged() {
    for engine in left.names.union(attempts.values.map(\.engine)) { open(engine) }
    for engine in links.keys.sorted() where context.settings.current.engines[engine] == nil {
      tellMachine(engine, .silent("config.json has no \(engine) any more"))
    }
  }

  func launch(_ number: JobNumber, attempt: Int, gpus: [String]) {
    guard runtime.mayLaunch(number, attempt: attempt), let job = runtime.jobs[number],
      let engine = job.engine
    else { return }
    let remote = RemoteAttempt(EngineAttempt(number, attempt), engine: engine)
    remote.gpus = gpus
    lastPlace += 1
    remote.place = lastPlace
    do {
      remote.order = try order(of: job, remote, try settings(of: engine))
      try beginLog(of: remote)
      try makePage(of: job, remote)
      attempts[number] = remote
      open(engine)
      if job.submission.options.strategy == .fail, !needsFiles(job, on: engine) {
        remote.startBy = .now() + Self.startTimeout
      }
      send(remote)
      tellTrouble(of: remote)
    } catch {
      attempts[number] = nil
      let end = RunEnd(status: .cannotStart("job \(number) cannot be started: \(error)"))
      runtime.inbox.append(.finished(number, attempt: attempt, end))
    }
  }

  /// A launch that no helper has taken is still the same attempt when one does.
  func send(_ remote: RemoteAttempt) {
    guard let link = links[remote.engine], link.isReady, !remote.isSent, let order = remote.order,
      let job = runtime.jobs[remote.name.job]
    else { return }
    if isDelayed(remote) { return tellTrouble(of: remote) }
    if sendsFiles(remote, job) { return }
    remote.isSent = true
    remote.order = nil
    var launch = EngineLaunch(
      remote.name, title: job.title, subtitle: job.subtitle, bytes: order.count)
    if case .copied(let bytes) = job.details.input { launch.inputBytes = Int(clamping: bytes) }
    let options = job.submission.options
    launch.processors = options.requirements.processors
    launch.memoryBytes = job.details.memoryBytes ?? options.requirements.memoryBytes
    launch.diskBytes = options.requirements.diskBytes
    (launch.partition, launch.options) = (job.details.partition, job.details.engineOptions)
    launch.gpuCount = options.requirements.gpuCount
    launch.nodes = SlurmShape.nodes.count(in: options.requirements)
    launch.tasks = SlurmShape.tasks.count(in: options.requirements)
    launch.gpus = remote.gpus
    launch.gres = link.settings.gres(for: options.requirements)
    launch.limitMilliseconds = options.limit.map { ($0 + options.grace).milliseconds }
    link.send(.launch(launch), order)
  }

  /// Allowance for an immediate start: a cluster needs a second or two.
  static let startTimeout = Interval.seconds(10)

  /// It had to start at once, and has not.
  private func withdraw(_ remote: RemoteAttempt) {
    remote.startBy = nil
    if remote.hasStarted { return }
    remote.isLate = true
    guard remote.isSent else {
      let why = links[remote.engine]?.trouble?.why ?? "it does not answer"
      return finish(
        remote, RunEnd(status: .engine(.refused("\(remote.engine) does not answer: \(why)"))))
    }
    links[remote.engine]?.send(.withdraw(remote.name))
  }

  /// Reports arrive unasked, and more often while a client watches.
  func sample(_ number: JobNumber) {
    guard let remote = attempts[number], remote.isSent, remote.hasStarted else { return }
    let now = Instant.now()
    if let watchedAt = remote.watchedAt, now - watchedAt < Self.watchPause { return }
    let link = links[remote.engine]
    if link?.tellOfWatcher(of: remote.name, seconds: Self.watchSeconds, at: now) == true {
      remote.watchedAt = now
    }
  }

  private static let watchSeconds: UInt32 = 60
  private static let watchPause = Interval.seconds(50)

  func stop(_ number: JobNumber, reason: StopReason, deadline: Instant) {
    guard let remote = attempts[number], let job = runtime.jobs[number] else { return }
    remote.stop = (reason, deadline)
    guard remote.isSent else { return revoke(remote) }
    if remote.success != nil { return concludeSuccess(remote) }
    tellStop(remote, terminates: !job.submission.options.speaksPage)
  }

  func tellStop(_ remote: RemoteAttempt, terminates: Bool) {
    guard let (reason, deadline) = remote.stop else { return }
    let left = deadline - min(deadline, .now())
    links[remote.engine]?.send(
      .stop(
        remote.name, reason: reason.code.pageValue, graceMilliseconds: left.milliseconds,
        terminates: terminates))
  }

  func kill(_ number: JobNumber) {
    guard let remote = attempts[number] else { return }
    remote.killedAt = remote.killedAt ?? .now()
    guard remote.isSent else { return revoke(remote) }
    let link = links[remote.engine]
    if link?.isReady == true { link?.send(.kill(remote.name)) }
    if let why = whyUnreached(remote) { giveUp(remote, why) }
  }

  /// The helper does not know the attempt.
  func revoke(_ remote: RemoteAttempt) {
    finish(remote, RunEnd(status: .revoked))
  }

  func adopt(_ row: JobRecord, isSameBoot: Bool) {
    guard let engine = runtime.jobs[row.number]?.engine else { return }
    let remote = RemoteAttempt(EngineAttempt(row.number, row.attempt), engine: engine)
    remote.isSent = true
    remote.hasStarted = row.state != .launching
    if row.state == .launching, runtime.jobs[row.number]?.submission.options.strategy == .fail {
      remote.startBy = .now() + Self.startTimeout
    }
    remote.pagePath = home.page(row.number, attempt: row.attempt)
    resumeLog(of: remote)
    if case .stopping(let reason, let deadline) = row.state {
      remote.stop = (reason, isSameBoot ? deadline : .now())
    }
    left.remove(remote.name)
    attempts[row.number] = remote
    // Reboots of this machine do not affect the job.
    runtime.restore(row, isSameBoot: true)
    open(engine)
    tellTrouble(of: remote)
  }

  func retire(_ job: LiveJob) {
    // First the files from which a runner without its store would restore the job.
    context.cleanup.removeAttempts(of: job.number, count: job.attempt)
    leave(job)
    home.paths.forgetInput(of: job)
  }

  /// Removes what an ended job may have on the machines where it could run.
  func leave(_ job: LiveJob) {
    guard let asked = job.submission.options.engine else { return }
    let engines = (runtime.scheduler.machines(of: asked) ?? [asked]).filter {
      $0 != EngineName.here && (links[$0] != nil || $0 == asked || $0 == job.machine)
    }
    for engine in engines {
      for attempt in stride(from: 1, through: job.attempt, by: 1) {
        forget(EngineAttempt(job.number, attempt), on: engine)
      }
      letGoIfIdle(engine)
    }
  }

  private func forget(_ name: EngineAttempt, on engine: String) {
    if left.contains(name) { return }
    if let link = links[engine], link.isReady {
      link.send(.forget(name))
    } else {
      forgotten.append((engine, name))
    }
  }

  /// A client started or stopped watching a job.
  func updateWeight(_ number: JobNumber) {
    guard let remote = attempts[number], let job = runtime.jobs[number] else { return }
    remote.watchAgainAt = nil
    guard job.attachedCount > 0 else { return }
    let now = Instant.now()
    (remote.watchAgainAt, remote.watchedAt) = (now + Self.watchPause, now)
    links[remote.engine]?.send(.watch(remote.name, seconds: Self.watchSeconds))
  }
}

/// Why an attempt cannot be handed over.
struct EngineProblem: Error, CustomStringConvertible {
  var description: String
}
