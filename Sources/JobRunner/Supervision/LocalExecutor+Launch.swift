import JobCore
import JobPage
import JobRuntime
import JobStore
import JobWire
import LinuxSystem
import MachineProbes

extension LocalExecutor {
  /// Starts an attempt: page, record, state folder, and a supervisor that outlives this runner.
  func launch(_ number: JobNumber, attempt: Int, gpus: [String]) {
    guard runtime.mayLaunch(number, attempt: attempt) else { return }
    if let lock = runtime.jobs[number]?.details.unlessLocked, Self.isLocked(lock) {
      // The process that has the lock does its work.
      runtime.jobs[number]?.message = "not started: a running process has its lock"
      return endUnstarted(
        number, attempt: attempt, RunEnd(status: .exited(0), declared: .success))
    }
    do {
      let places = freePlaces(for: number)
      let specification = try context.specification(of: number, slot: places.slot)
      try start(number, attempt: attempt, gpus: gpus, specification, places)
    } catch {
      launchFailed(number, attempt: attempt, gpus: gpus, error)
    }
  }

  private static func isLocked(_ path: String) -> Bool {
    guard let file = try? File.open(path, [.read, .nonblocking]) else { return false }
    return (try? file.tryLock()) == false
  }

  /// Ends the job without starting it.
  private func endUnstarted(_ number: JobNumber, attempt: Int, _ end: RunEnd) {
    // The reason for a deferral no longer applies.
    runtime.jobs[number]?.warning = nil
    runtime.inbox.append(.finished(number, attempt: attempt, end))
  }

  /// The numbers of what it shares with other attempts that they do not have.
  private func freePlaces(for number: JobNumber) -> AttemptPlaces {
    let options = runtime.jobs[number]?.submission.options
    let group = attempts.values.lazy.filter {
      self.runtime.jobs[$0.number]?.submission.options.group == options?.group
    }
    return AttemptPlaces(
      for: options?.requirements.counted ?? [], group: group.map(\.places),
      all: attempts.values.map(\.places))
  }

  private func launchFailed(
    _ number: JobNumber, attempt: Int, gpus: [String], _ error: any Error
  ) {
    discardGroup(number, attempt: attempt)
    guard home.holdsLock else {
      home.isDoubted = true
      return hold(
        .launch(number, attempt: attempt, gpus: gpus), because: "the state folder is gone")
    }
    if let trouble = error.transientFailure {
      return hold(.launch(number, attempt: attempt, gpus: gpus), because: trouble)
    }
    endUnstarted(
      number, attempt: attempt,
      RunEnd(status: .cannotStart("job \(number) cannot be started: \(error)")))
  }

  /// A tenth of the processor time of a normal process when both compete (sched(7)).
  private static let lowNiceness: Int32 = 10

  private func start(
    _ number: JobNumber, attempt: Int, gpus: [String], _ specification: LaunchSpecification,
    _ places: AttemptPlaces
  ) throws {
    guard let liveJob = runtime.jobs[number] else { return }
    let pagePath = home.page(number, attempt: attempt)
    let page = PageFile.content(
      number: number.value, attempt: UInt64(attempt), title: liveJob.title,
      subtitle: liveJob.subtitle)
    if !context.cleanup.sparesPages || context.cleanup.makeOfSpare(pagePath, page) == nil {
      try PageFile.create(pagePath, page)
    }
    let live = Attempt(
      number: number, attempt: attempt, token: liveJob.token(attempt: attempt),
      recordPath: home.paths.runRecord(number, attempt: attempt),
      pagePath: pagePath, isChild: true)
    live.places = places
    try context.cleanup.prepareStateFolder(of: number, attempt: attempt)
    // What is left in a control group is ended with it.
    if !liveJob.details.keepsBackground { live.group = makeGroup(liveJob, attempt: attempt) }
    // The record must exist before the supervisor starts, which begins nothing without it.
    if context.cleanup.makeOfSpare(live.recordPath, [], replacing: false) == nil {
      _ = try RunRecordFile(path: live.recordPath)
    }
    var specification = specification
    setEnvironment(of: &specification, for: liveJob, live, gpus: gpus)
    specification.wrap(in: liveJob.details.wrap)
    specification.prepare(with: liveJob.details.before)
    var order = LaunchOrder(
      record: live.recordPath, page: live.pagePath, log: home.paths.log(number),
      stateDirectory: home.paths.jobState(number), token: live.token,
      graceMilliseconds: liveJob.submission.options.grace.milliseconds,
      creationMask: specification.creationMask ?? context.creationMask,
      specification: specification)
    order.terminal = liveJob.submission.options.observation.terminal.map {
      LaunchOrder.TerminalSize(columns: $0.columns, rows: $0.rows)
    }
    order.input = try input(of: liveJob)
    order.logLimit = liveJob.details.logLimit ?? context.settings.current.logLimit
    if liveJob.submission.options.priority == .low { order.niceness = Self.lowNiceness }
    order.watchesLog = attempts.count < Limits.watchedLogs
    order.warning = liveJob.details.warning(before: liveJob.submission.options.limit)
    order.group = live.group?.path
    order.standardOutput = output(liveJob.details.stdout, of: liveJob)
    order.standardError = output(liveJob.details.stderr, of: liveJob)
    order.keepsBackground = liveJob.details.keepsBackground
    if attempt > 1 { order.heading = "jobrun: attempt \(attempt) begins, \(WallTime.now().text)" }
    var recovery = liveJob.recovery(launched: WallTime.now(), at: Instant.now(), boot: context.boot)
    recovery.mount = context.mount
    order.recovery = String(decoding: recovery.json, as: UTF8.self)
    live.energyMark = energy.look(at: .now(), slept: .slept())
    do {
      try spawn(live, order, reading: inputs[number])
    } catch SupervisionError.uncertain(let problem) {
      adoptUncertain(live, problem)
    }
  }

  private func output(_ path: String?, of liveJob: LiveJob) -> String? {
    path.map {
      OutputPath.filled(
        $0, liveJob.number, group: liveJob.submission.options.group?.text,
        identifier: liveJob.submission.identifier.text)
    }
  }

  private func adoptUncertain(_ live: Attempt, _ problem: String) {
    notes.add("it is not known whether job \(live.number) has a supervisor: \(problem)")
    adopt(live)
  }

  private func spawn(_ live: Attempt, _ order: LaunchOrder, reading input: PassedInput?) throws {
    settleSupervisor()
    var pipe = try Pipe()
    let announcement = pipe.takeReading()
    try announcement.setNonblocking(true)
    let file = try orderFile(of: live, order)
    let request = SupervisorSource.Request(
      order: file, announcement: pipe.takeWriting(), input: input)
    let pid = try supervisors.start(request)
    live.announcement = consume announcement
    attempts[live.number] = live
    if let pid { try began(live, pid) } else { unsettled = live }
  }

  /// Collects the result of the last supervisor start; waits for it if it is needed now.
  func settleSupervisor() {
    guard let live = unsettled.take() else { return }
    do {
      try began(live, supervisors.settle())
    } catch SupervisionError.uncertain(let problem) {
      adoptUncertain(live, problem)
    } catch {
      stopListening(to: live)
      attempts[live.number] = nil
      let gpus = runtime.jobs[live.number]?.gpus ?? []
      launchFailed(live.number, attempt: live.attempt, gpus: gpus, error)
    }
  }

  /// The same before something is done to the supervisor of this job.
  func settleSupervisor(of number: JobNumber) {
    if unsettled?.number == number { settleSupervisor() }
  }

  private func began(_ live: Attempt, _ pid: Int32) throws {
    live.supervisorPID = pid
    do throws(SystemError) {
      try watchChild(live)
    } catch {
      guard error.isShortage else {
        abandon(live)
        attempts[live.number] = nil
        throw SupervisionError.unwatchable("\(error)")
      }
      notes.add("the supervisor of job \(live.number) cannot be watched yet: \(error)")
      live.isUnwatched = true
      lookAgain(at: live, after: .milliseconds(100))
    }
  }

  /// Watches a supervisor that this runner has started, and its announcements.
  func watchChild(_ live: Attempt) throws(SystemError) {
    if live.supervisor == nil, let pid = live.supervisorPID {
      try watch(live, ProcessDescriptor(pid))
    }
    guard let announcement = live.announcement?.number else { return }
    let number = live.number
    try context.loop.watch(announcement) { [unowned self] _ in readAnnouncement(number) }
  }

  /// The order as a file beside the run record; in memory if the disk is full, which only prevents restoring
  /// the job from a lost store.
  private func orderFile(
    of live: Attempt, _ order: LaunchOrder
  ) throws(SystemError) -> FileDescriptor {
    let bytes = order.encoded()
    let path = home.paths.launchOrder(live.number, attempt: live.attempt)
    if let file = context.cleanup.makeOfSpare(path, bytes) { return file }
    do throws(SystemError) {
      let file = try File.open(path, [.read, .write, .create, .truncate, .noFollow])
      try file.write(bytes, at: 0)
      return file
    } catch {
      try? File.remove(path)  // a partial order is useless
      return try MemoryFile.make(bytes, name: "jobrun-order")
    }
  }

  /// Kills a started attempt that cannot be watched: a job reported as failed must not run.
  private func abandon(_ live: Attempt) {
    if let pid = live.supervisorPID {
      ChildProcess.discard(pid, environmentEntry: Array("JOBRUN_TOKEN=\(live.token)".utf8))
    }
    discard(live.group)
    if let supervisor = live.supervisor.take() { context.loop.remove(supervisor.number) }
  }

  /// Watches the supervisor for any kind of end.
  func watch(
    _ live: Attempt, _ supervisor: consuming ProcessDescriptor
  ) throws(SystemError) {
    let number = live.number
    try context.loop.watch(supervisor.number) { [unowned self] _ in supervisorEnded(number) }
    live.supervisor = consume supervisor
  }

  /// The supervisor's announcement: the worker runs.
  func readAnnouncement(_ number: JobNumber) {
    guard let live = attempts[number] else { return }
    let isOver = live.readAnnouncement()
    if let started = RunRecord(parsing: live.announced).started, !live.hasStarted {
      live.hasStarted = true
      // The worker owns it now: the writer must get EPIPE when the worker stops reading.
      inputs[number] = nil
      live.hasBegun = true
      runtime.jobs[number]?.workerPID = started.worker.pid
      runtime.jobs[number]?.isGrouped = live.group?.exists == true
      runtime.inbox.append(.started(number, attempt: live.attempt))
      giveWayFromStart(number)
    }
    if isOver || live.hasStarted { stopListening(to: live) }
  }

  /// Closes the announcement pipe, which has said all that is of interest.
  func stopListening(to live: Attempt) {
    guard let announcement = live.announcement.take() else { return }
    context.loop.remove(announcement.number)
  }
}

/// Why an attempt could not be started.
enum SupervisionError: Error, CustomStringConvertible {
  case noSpecification
  /// Its input was a pipe, which is gone.
  case inputGone
  /// A supervisor may have been started or not: its run record tells.
  case uncertain(String)
  /// It was started and ended at once, so that this attempt cannot be made again.
  case unwatchable(String)

  var description: String {
    switch self {
    case .noSpecification: "its command is no longer in the store"
    case .inputGone:
      "its input was a pipe, which can be read only once and was lost with the runner that held it;"
        + " submit it again"
    case .uncertain(let why): "its supervisor cannot be looked for: \(why)"
    case .unwatchable(let why): "its supervisor cannot be watched: \(why)"
    }
  }
}
