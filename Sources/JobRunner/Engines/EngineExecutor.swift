import JobCore
import JobPage
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

/// Has attempts run elsewhere: tells the helpers of engines what is to be done, and takes in what they tell.
///
/// Whatever a helper does not know is told to the next one: what was launched is adopted, what was not yet
/// is launched. The jobs' folders hold what really happened.
final class EngineExecutor: Executor, Part {
  let context: LocalExecutor.Context
  /// By name.
  private(set) var links: [String: EngineLink] = [:]
  private(set) var attempts: [JobNumber: RemoteAttempt] = [:]
  /// Told to a helper that was not there: what may go now.
  private var forgotten: [(engine: String, attempt: EngineAttempt)] = []
  /// The runner's own name in the folders of engines; nil = nobody has asked yet.
  private var storeName: String?

  init(_ context: LocalExecutor.Context) {
    self.context = context
  }

  var home: RunnerHome { context.home }
  var runtime: JobRuntime { context.runtime }
  var notes: RunnerNotes { context.notes }

  var numbers: any Collection<JobNumber> { attempts.keys }

  func runs(_ number: JobNumber) -> Bool { attempts[number] != nil }

  /// The words of a page are all that is seen from here.
  func isObserved(_ number: JobNumber) -> Bool { false }

  var nextDue: Instant? {
    let links = links.values.lazy.compactMap(\.due).min()
    let watches = attempts.values.lazy.compactMap(\.watchAgainAt).min()
    return [links, watches].compactMap(\.self).min()
  }

  func act(at now: Instant) {
    for (engine, link) in links {
      if link.startAt.map({ $0 <= now }) ?? false { open(engine) }
      link.lookAfter(at: now)
    }
    for attempt in attempts.values where attempt.watchAgainAt.map({ $0 <= now }) ?? false {
      weigh(attempt.name.job)
    }
  }

  /// What was missing there may be written now.
  func settingsChanged() {
    for engine in Set(attempts.values.map(\.engine)) { open(engine) }
  }

  func launch(_ number: JobNumber, attempt: Int, gpus: [String]) {
    guard runtime.mayLaunch(number, attempt: attempt), let job = runtime.jobs[number],
      let engine = job.submission.options.engine
    else { return }
    let remote = RemoteAttempt(EngineAttempt(number, attempt), engine: engine)
    do {
      remote.order = try order(of: job, remote, try settings(of: engine))
      try beginLog(of: remote)
      try makePage(of: job, remote)
      attempts[number] = remote
      open(engine)
      send(remote)
      tellTrouble(of: remote)
    } catch {
      attempts[number] = nil
      let end = RunEnd(status: .cannotStart("job \(number) cannot be started: \(error)"))
      runtime.inbox.append(.finished(number, attempt: attempt, end))
    }
  }

  /// A launch that no helper has taken is still the same attempt when one does.
  private func send(_ remote: RemoteAttempt) {
    guard let link = links[remote.engine], link.isReady, !remote.isSent, let order = remote.order,
      let job = runtime.jobs[remote.name.job]
    else { return }
    remote.isSent = true
    remote.order = nil
    var launch = EngineLaunch(
      remote.name, title: job.title, subtitle: job.subtitle, bytes: order.count)
    let options = job.submission.options
    launch.processors = options.requirements.processors
    launch.memoryBytes = options.requirements.memoryBytes
    launch.diskBytes = options.requirements.diskBytes
    launch.gpus = options.requirements.gpuCount
    launch.limitMilliseconds = options.limit.map { ($0 + options.grace).milliseconds }
    link.send(.launch(launch), order)
  }

  func sample(_ number: JobNumber) {
    guard let remote = attempts[number], remote.isSent else { return }
    links[remote.engine]?.send(.look(remote.name))
  }

  func stop(_ number: JobNumber, reason: StopReason, deadline: Instant) {
    guard let remote = attempts[number], let job = runtime.jobs[number] else { return }
    remote.stop = (reason, deadline)
    guard remote.isSent else { return revoke(remote) }
    tellStop(remote, terminates: !job.submission.options.speaksPage)
  }

  private func tellStop(_ remote: RemoteAttempt, terminates: Bool) {
    guard let (reason, deadline) = remote.stop else { return }
    let left = deadline - min(deadline, .now())
    links[remote.engine]?.send(
      .stop(
        remote.name, reason: reason.code.pageValue, graceMilliseconds: left.milliseconds,
        terminates: terminates))
  }

  func kill(_ number: JobNumber) {
    guard let remote = attempts[number] else { return }
    remote.isToBeKilled = true
    guard remote.isSent else { return revoke(remote) }
    guard let link = links[remote.engine], link.isReady else { return abandon(remote) }
    link.send(.kill(remote.name))
  }

  /// Nobody will ever ask an engine again that is configured no longer.
  private func abandon(_ remote: RemoteAttempt) {
    guard context.settings.current.engines[remote.engine] == nil else { return }
    let why = "config.json has no \(remote.engine) any more; what became of it there is unknown"
    finish(remote, RunEnd(status: .engine(.lost(why))))
  }

  /// No helper knows of it.
  private func revoke(_ remote: RemoteAttempt) {
    finish(remote, RunEnd(status: .revoked))
  }

  func adopt(_ row: StoredJob, isSameBoot: Bool) {
    guard let engine = runtime.jobs[row.number]?.submission.options.engine else { return }
    let remote = RemoteAttempt(EngineAttempt(row.number, row.attempt), engine: engine)
    remote.isSent = true
    remote.hasStarted = row.phase != .launching
    remote.pagePath = home.page(row.number, attempt: row.attempt)
    resumeLog(of: remote)
    if row.phase == .stopping, let reason = row.stopReason, let deadline = row.stopDeadline {
      remote.stop = (reason, isSameBoot ? deadline : .now())
    }
    attempts[row.number] = remote
    // Another start of this machine is none of the job's.
    runtime.restore(row, isSameBoot: true)
    open(engine)
    tellTrouble(of: remote)
  }

  func retire(_ job: LiveJob) {
    guard let engine = job.submission.options.engine else { return }
    for attempt in stride(from: 1, through: job.attempt, by: 1) {
      let name = EngineAttempt(job.number, attempt)
      if let link = links[engine], link.isReady {
        link.send(.forget(name))
      } else {
        forgotten.append((engine, name))
      }
    }
    context.cleanup.removeAttempts(of: job.number, count: job.attempt)
    letGoOfIdle()
  }

  /// Somebody has begun to watch a job, or has ceased.
  func weigh(_ number: JobNumber) {
    guard let remote = attempts[number], let job = runtime.jobs[number] else { return }
    let isWatched = job.attachedCount > 0
    guard isWatched || remote.watchAgainAt != nil else { return }
    remote.watchAgainAt = isWatched ? .now() + .seconds(50) : nil
    links[remote.engine]?.send(.watch(remote.name, seconds: isWatched ? 60 : 0))
  }
}

// Links.
extension EngineExecutor {
  private func settings(of engine: String) throws(EngineProblem) -> EngineSettings {
    let engines = context.settings.current.engines
    guard let settings = engines[engine] else {
      throw EngineProblem(description: EngineName.unknown(engine, among: Array(engines.keys)))
    }
    return settings
  }

  /// Has a helper started, unless there is one, or is to be none for a while.
  private func open(_ engine: String) {
    guard let settings = try? settings(of: engine) else {
      links[engine]?.giveUp()
      return troubleChanged(of: engine)
    }
    let command = EngineCommand(settings: settings, tools: context.tools)
    let link =
      links[engine]
      ?? EngineLink(
        command, loop: context.loop, received: { [unowned self] in receive($0, from: engine) },
        changed: { [unowned self] in troubleChanged(of: engine) })
    links[engine] = link
    do throws(StoreError) {
      let name = try nameOfStore()
      // Over ssh the helper knows a folder of its own.
      let usual =
        settings.through == nil ? "\(home.paths.stateDirectory)/engines/\(settings.name)" : ""
      var greeting = EngineGreeting(store: name, folder: settings.folder ?? usual)
      greeting.partition = settings.partition
      greeting.account = settings.account
      greeting.options = settings.options
      link.open(command, greeting: .hello(greeting))
    } catch {
      // Under a name that is forgotten nothing would be found again.
      link.fail("the store cannot be written: \(error.message)")
    }
  }

  private func nameOfStore() throws(StoreError) -> String {
    if let storeName { return storeName }
    let name = try context.store.ownName { RandomBytes.hexadecimal(count: 8) }
    storeName = name
    return name
  }

  /// Nothing can be said of what it has until it answers again.
  private func troubleChanged(of engine: String) {
    if let trouble = links[engine]?.trouble {
      notes.add("\(engine) does not answer: \(trouble.why)")
    }
    for remote in attempts.values where remote.engine == engine { tellTrouble(of: remote) }
  }

  private func tellTrouble(of remote: RemoteAttempt) {
    let (number, engine) = (remote.name.job, remote.engine)
    let sentence: String
    if let trouble = links[engine]?.trouble {
      sentence = "\(engine) does not answer since \(trouble.since.text): \(trouble.why)"
    } else if context.settings.current.engines[engine] == nil, links[engine]?.isReady != true {
      sentence = "config.json has no \(engine) any more; jobrun cancel --now gives the job up"
    } else {
      return warn(number, nil)
    }
    if remote.hasStarted {
      warn(number, sentence)
    } else {
      runtime.inbox.append(
        .pending(number, attempt: remote.name.attempt, PendingReason(.engine, sentence)))
    }
  }

  /// Says on the job's line what is the matter with it.
  private func warn(_ number: JobNumber, _ sentence: String?) {
    guard var job = runtime.jobs[number], job.warning != sentence else { return }
    job.warning = sentence
    context.sampler.note(&job, hasMoved: false, hasSpoken: true)
    runtime.jobs[number] = job
  }

  /// A helper is there: it hears of all that is its own.
  private func introduce(_ engine: String) {
    guard let link = links[engine] else { return }
    let ours = attempts.values.filter { $0.engine == engine }
    let sent = ours.filter(\.isSent)
    if !sent.isEmpty {
      for remote in sent { (remote.isAdopted, remote.isAccepted) = (true, false) }
      link.send(
        .adopt(
          sent.map { EngineAdoption($0.name, logBytes: $0.isLogFull ? nil : $0.logBytes) }))
    }
    for remote in ours where !remote.isSent { send(remote) }
    for remote in sent {
      remote.watchAgainAt = nil
      weigh(remote.name.job)
      if remote.stop != nil {
        tellStop(
          remote,
          terminates: runtime.jobs[remote.name.job]?.submission.options.speaksPage == false)
      }
      if remote.isToBeKilled { link.send(.kill(remote.name)) }
    }
    for entry in forgotten where entry.engine == engine { link.send(.forget(entry.attempt)) }
    forgotten.removeAll { $0.engine == engine }
  }

  private func letGoOfIdle() {
    let busy = Set(attempts.values.map(\.engine))
    for (name, link) in links where !busy.contains(name) { link.letGo() }
  }

  private func receive(_ report: EngineReport, from engine: String) {
    switch report {
    case .ready: introduce(engine)
    case .accepted(let name, let id):
      guard let remote = attempt(name) else { return }
      remote.isAccepted = !remote.isAdopted
      runtime.jobs[name.job]?.engineJob = id
    case .pending(let name, let code, let message):
      guard attempt(name) != nil else { return }
      runtime.inbox.append(
        .pending(name.job, attempt: name.attempt, PendingReason(code, message)))
    case .started(let name, let node):
      guard let remote = attempt(name) else { return }
      remote.node = node
      runtime.jobs[name.job]?.node = node
      begin(remote)
    case .page(let name, let look):
      if let remote = attempt(name) { apply(look, remote) }
    case .log(let name, let start, let bytes):
      if let remote = attempt(name) { append(bytes, from: start, to: remote) }
    case .ended(let name, let record, let cause):
      if let remote = attempt(name) {
        conclude(remote, RunRecord(parsing: Array(record.utf8)), cause)
      }
    case .lost(let name, let cause, let message):
      if let remote = attempt(name) {
        finish(remote, RunEnd(status: .engine(end(cause, remote, message))))
      }
    case .revoked(let name):
      if let remote = attempt(name) { revoked(remote) }
    case .refused(let name, let message):
      if let remote = attempt(name) { finish(remote, RunEnd(status: .engine(.refused(message)))) }
    case .contact(let name, let silent):
      guard let remote = attempt(name) else { return }
      warn(
        remote.name.job,
        silent.map {
          "nothing was heard from \(remote.node ?? engine) for \(Span.milliseconds($0).words)"
        })
    case .adopted, .same, .pong: break
    case .note(let text): notes.add("\(engine): \(text)")
    }
  }

  /// The attempt that is live here; what is told of others came too late.
  private func attempt(_ name: EngineAttempt) -> RemoteAttempt? {
    attempts[name.job].flatMap { $0.name == name ? $0 : nil }
  }

  /// It never began and never will.
  private func revoked(_ remote: RemoteAttempt) {
    // Whose helper or runner was killed is not to blame.
    guard remote.isAccepted, links[remote.engine]?.settings.kind == .host else {
      return finish(remote, RunEnd(status: .revoked))
    }
    let count = (runtime.jobs[remote.name.job]?.failedStarts ?? 0) + 1
    runtime.jobs[remote.name.job]?.failedStarts = count
    guard count <= Limits.failedStarts else {
      return finish(
        remote,
        RunEnd(status: .cannotStart("its supervisor on \(remote.engine) ends before it begins")))
    }
    finish(remote, RunEnd(status: .revoked))
  }

  func finish(_ remote: RemoteAttempt, _ end: RunEnd) {
    var end = end
    end.sample = runtime.jobs[remote.name.job]?.sample ?? PageSample()
    attempts[remote.name.job] = nil
    runtime.inbox.append(.finished(remote.name.job, attempt: remote.name.attempt, end))
  }
}

/// Why an attempt cannot be handed over.
struct EngineProblem: Error, CustomStringConvertible {
  var description: String
}
