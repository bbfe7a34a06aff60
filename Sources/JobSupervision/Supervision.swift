package import JobPage
package import LinuxSystem

/// One attempt from its start to the end of its last process.
package struct Supervision: ~Copyable {
  let order: LaunchOrder
  /// Nil without a runner to report to.
  let runner: RunnerPipe?
  let record: RunRecordFile
  let signals: SignalDescriptor
  var tree: WorkerTree
  let startedMilliseconds: Int64

  var worker: Int32 = 0
  /// The worker's output, when it has its own terminal.
  private var terminal: TerminalOutput?
  /// Nil before the first check of the log.
  private var keeper: LogTruncator?
  /// When that check is due, on `AwakeClock`; nil once it is done, and without a log limit.
  private var keeperDue: UInt64?
  var workerEnd: (status: RunRecord.Status, milliseconds: Int64)?
  /// The count when the worker started; nil where the kernel does not count.
  var memoryKills: OutOfMemoryKills?
  /// Whether this process itself has killed the tree.
  var hasKilled = false
  /// Whether it was told to end its job.
  var isAskedToEnd = false
  /// Processes that the worker left running, and that were ended after it.
  var leftBehind = 0
  var pausing: TreePause
  /// The remaining processes are in the tree's group but are not children of this process, which gets no
  /// signal when they end.
  private var isForeign = false
  var cpuMicroseconds: UInt64 = 0
  var transferred = BytesTransferred()
  var residentBytes: UInt64 = 0
  /// When to kill the tree (again), on `AwakeClock`; nil while it may run.
  var killAt: UInt64?
  var killPause: UInt64 = Self.firstKillPause
  /// The end of its time limit, on the same clock; nil without a limit, and once it has been enforced.
  private var limitAt: UInt64?
  var isOverLimit = false
  /// When to warn the worker of it; nil without a warning, and once it was given.
  private var warnAt: UInt64?

  /// Nil where the runner is on this machine.
  var relay: Relay?
  /// Why a job with a relay was told to stop.
  var stopCause: RunRecord.StopCause?
  var stopDeadline: UInt64?
  /// The job also gets SIGTERM.
  var terminates = true
  /// The serial of the last control page that was carried out.
  var obeyed: UInt64 = 0
  /// Nil while no limit is known, and once the job was told.
  var engineLimit: EngineLimit?
  /// On `AwakeClock`.
  let begunAt = AwakeClock.now()

  /// The interval between two kills of a tree that dies slowly: 20 ms, doubling up to 1 s.
  private static let firstKillPause: UInt64 = 20_000_000
  static let lastKillPause: UInt64 = 1_000_000_000

  /// The delay of the first check of the log: many jobs end earlier and need none.
  private static let beforeKeeping: UInt64 = 20_000_000

  /// The interval between two tries to write to a full disk: 50 ms, doubling up to 2 s.
  static let firstRoomPause: UInt64 = 50_000_000
  static let lastRoomPause: UInt64 = 2_000_000_000

  /// Runs the attempt unless its record already holds a decision; returns the exit code.
  ///
  /// - Throws: when it cannot supervise; after a shortage (`SystemError.isShortage`) nothing has started
  ///   and the record is empty.
  package static func run(
    _ order: LaunchOrder, input: consuming FileDescriptor?, runner: RunnerPipe
  ) throws(JobPageError) -> Int32 {
    let signals = try JobPageError.wrapping(prepare)
    let record = try RunRecordFile(existing: order.record)
    guard try record.tryLock(), try record.read().isEmpty else { return 0 }
    let shim = try JobPageError.wrapping(identity)
    note(hasBegun: true, order)
    var supervision = Supervision(order, runner, record, signals, shim)
    try supervision.startWorker(shim, input)
    try supervision.watch()
    return 0
  }

  /// Repeats the record's statement on the page, as a disk may lose the record; without a page there is no
  /// proof that the attempt never started, and it is not repeated.
  static func note(hasBegun: Bool, _ order: LaunchOrder) {
    guard let page = try? PageControl(path: order.page) else { return }
    try? page.write(hasBegun: hasBegun)
  }

  /// Makes this process a supervisor; returns its signals.
  static func prepare() throws(SystemError) -> SignalDescriptor {
    // First, before a signal could interrupt anything.
    Signal.ignore(Signal.pipe)
    Signal.ignore(Signal.hangup)
    Signal.ignore(Signal.interrupt)
    Signal.ignore(Signal.fileTooLarge)
    let signals = try SignalDescriptor([
      Signal.child, Signal.terminate, Signal.user1, Signal.user2, Signal.urgent,
    ])
    // The runner may have made the session already; the refusal is ignored.
    try? CurrentProcess.startSession()
    try CurrentProcess.adoptOrphans()
    return signals
  }

  static func identity() throws(SystemError) -> ProcessIdentity {
    if let identity = ProcessIdentity(pid: CurrentProcess.identifier) { return identity }
    // Opened again for the error: usually too many open files.
    _ = try File.open("/proc/self/stat")
    throw SystemError("examine", SystemError.noProcess, path: "this process")
  }

  init(
    _ order: LaunchOrder, _ runner: RunnerPipe?, _ record: consuming RunRecordFile,
    _ signals: consuming SignalDescriptor, _ shim: ProcessIdentity
  ) {
    self.order = order
    self.runner = runner
    self.record = record
    self.signals = signals
    tree = WorkerTree(order, below: shim)
    pausing = TreePause(page: order.page)
    startedMilliseconds = WallClock.now()
    keeperDue = order.logLimit.map { _ in AwakeClock.now() + Self.beforeKeeping }
    limitAt = order.limitMilliseconds.map { Self.instant(inMilliseconds: $0) }
    warnAt = order.warning.map { Self.instant(inMilliseconds: $0.afterMilliseconds) }
  }

  /// Starts the worker; its own process writes `started` before the program's first instruction.
  ///
  /// - Throws: a shortage when nothing has started.
  mutating func startWorker(
    _ shim: ProcessIdentity, _ passed: consuming FileDescriptor?
  ) throws(JobPageError) {
    do throws(SystemError) {
      let log = try openLog()
      LogHeading.write(order.heading, to: log, path: order.log)
      // The supervisor's own files are private; those of the worker follow its submitter's umask.
      if let mask = order.creationMask { CurrentProcess.setCreationMask(mask) }
      // Closed once the worker has it, so that the writer of a pipe notices when the reader is gone.
      let input = try WorkerInput.open(order.input, passed: passed)
      if order.standardOutput == nil, order.standardError == nil {
        try launchPatiently(
          shim, WorkerStreams(input: input.number, output: log.number, errors: log.number))
      } else {
        let files = try WorkerOutput.open(order, log)
        try launchPatiently(
          shim,
          WorkerStreams(
            input: input.number, output: files.output.number, errors: files.errors.number))
      }
    } catch {
      if error.isShortage, relay == nil, try record.read().started == nil {
        // A full disk may have taken a part of the line.
        try record.clear()
        Self.note(hasBegun: false, order)
        throw .system(error)
      }
      writeToLog("\(error)")
      try finish(.cannotStart(error.number), at: WallClock.now(), message: "\(error)")
    }
    // The file system of this process's current folder could not be unmounted.
    try? CurrentProcess.changeDirectory("/")
  }

  /// Retries while a shortage keeps the program from starting, as the record already says that the worker
  /// starts; a signal or the limit ends that.
  private mutating func launchPatiently(
    _ shim: ProcessIdentity, _ streams: WorkerStreams
  ) throws(SystemError) {
    var pause = Self.firstRoomPause
    while true {
      do throws(SystemError) {
        return try launch(shim, streams)
      } catch {
        guard error.isShortage, (try? record.read())?.started != nil else { throw error }
        if pause == Self.firstRoomPause { writeToLog("jobrun: \(error); trying again") }
        if try isEnded(within: pause) { throw error }
        pause = min(pause * 2, Self.lastRoomPause)
      }
    }
  }

  /// Sleeps; true when this process was meanwhile told to end its job, or the job's time is up.
  private mutating func isEnded(within pause: UInt64) throws(SystemError) -> Bool {
    let end = AwakeClock.now() + pause
    while try Poll.wait(signals.number, until: end) {
      for signal in try signals.drain() {
        switch signal {
        case Signal.child: continue
        case Signal.urgent: pausing.isDue = true
        case _ where relay != nil: obeyAway(signal)
        default: return true
        }
      }
    }
    if stopCause != nil { return true }
    return limitAt.map { AwakeClock.now() >= $0 } ?? false
  }

  /// Must not block on a pipe without a reader in the place of the log.
  private borrowing func openLog() throws(SystemError) -> FileDescriptor {
    let log = try File.open(order.log, [.write, .append, .create, .nonblocking])
    try log.setNonblocking(false)
    return log
  }

  /// For the reader of the job's log; the record has the sentence even if this write fails.
  private borrowing func writeToLog(_ sentence: String) {
    let log = try? openLog()
    _ = try? log?.write(Array("\(sentence)\n".utf8))
  }

  /// Without a terminal the worker writes to its log; with one, this process does.
  private mutating func launch(
    _ shim: ProcessIdentity, _ streams: WorkerStreams
  ) throws(SystemError) {
    guard let size = order.terminal else {
      worker = try launch(shim, streams, isTerminal: false)
      return
    }
    var keys: KeyPipe?
    if case .terminal(let path) = order.input { keys = try KeyPipe(path) }
    let takesKeys = keys != nil
    let pair = try TerminalPair(columns: size.columns, rows: size.rows, takesKeys: takesKeys)
    // Only here, as it is a batch system's to say which group that of a job is.
    try CurrentProcess.leadSession()
    try pair.becomeControlling()
    let log: FileDescriptor
    if let path = order.standardOutput {
      log = try WorkerOutput.open(path, isFirst: false)
    } else {
      log = try openLog()
    }
    var output = TerminalOutput(pair, keys: keys.take(), log: log)
    let slave = output.slaveNumber
    let input = takesKeys ? slave : streams.input
    worker = try launch(
      shim, WorkerStreams(input: input, output: slave, errors: slave), isTerminal: true)
    output.begin()
    terminal = consume output
  }

  private mutating func launch(
    _ shim: ProcessIdentity, _ streams: WorkerStreams, isTerminal: Bool
  ) throws(SystemError) -> Int32 {
    var spawn = Spawn(
      order.specification.arguments, environment: order.specification.environment,
      directory: order.specification.directory)
    spawn.startsGroup = true
    spawn.takesForeground = isTerminal
    spawn.deathSignal = Signal.kill
    spawn.niceness = order.niceness ?? 0
    spawn.terms = order.specification.terms
    spawn.descriptors = [
      .init(streams.input, as: 0), .init(streams.output, as: 1), .init(streams.errors, as: 2),
    ]
    spawn.announcement = Spawn.Announcement(
      prefix: RunRecord.Line.startedPrefix, suffix: RunRecord.Line.startedSuffix(shim: shim),
      record: record.number, listener: runner?.number ?? -1)
    return try tree.start(spawn)
  }
}

// Waiting for the end of the tree.
extension Supervision {
  mutating func watch() throws(JobPageError) {
    memoryKills = OutOfMemoryKills(of: tree.group)
    if pausing.isDue { pausing.applyPage(to: tree, mayFreeze: true) }
    do throws(SystemError) { try awaitEnd() } catch { throw .system(error) }
    awaitOwnTerm()
    guard let workerEnd else { return }
    terminal?.finish()
    keepLogAtEnd()
    try finish(
      workerEnd.status, at: workerEnd.milliseconds, message: explanation(workerEnd.status))
  }

  /// Waits until no process of the tree is left; returns at once where none was started.
  private mutating func awaitEnd() throws(SystemError) {
    while worker > 0 {
      let childrenRemain = try reap()
      if workerEnd != nil {
        if order.keepsBackground, !isAskedToEnd, !hasKilled { return }
        isForeign = tree.hasNoChild(among: childrenRemain)
        guard !isForeign || tree.group?.isPopulated == true else { return }
        if killAt == nil { askToLeave() }
      }
      try waitOnce()
    }
  }

  /// Waits for a signal, output, or the time to kill.
  private mutating func waitOnce() throws(SystemError) {
    var watched = [(number: signals.number, interest: Interest.readable)]
    if let number = terminal?.openNumber {
      watched.append((number, terminal?.interest ?? .readable))
    }
    let output = watched.count - 1
    if let number = terminal?.keysNumber { watched.append((number, .readable)) }
    let keys = watched.count - 1
    if let number = keeper?.number { watched.append((number, .readable)) }
    let look = isForeign ? AwakeClock.now() + Self.firstKillPause : nil
    let due = [
      killAt, limitAt, warnAt, engineLimit?.stopAt, keeperDue, keeper?.lookAt, look, relay?.due,
    ].compactMap { $0 }.min()
    let ready = try Poll.wait(watched, until: due)
    for readiness in ready {
      if readiness.token == 0 {
        for signal in try signals.drain() { obey(signal) }
      } else if readiness.token <= output {
        if readiness.isWritable { terminal?.type() }
        if readiness.isReadable || readiness.isHangup { terminal?.carry() }
      } else if readiness.token <= keys {
        terminal?.type()
      }
    }
    keepLog(hasChanged: ready.contains { $0.token > keys })
    if relay != nil { actAsRelay() }
    if let engineLimit, AwakeClock.now() >= engineLimit.stopAt { stop(at: engineLimit) }
    if let warnAt, AwakeClock.now() >= warnAt { warn() }
    // Endless output must not delay the kill.
    if let killAt, AwakeClock.now() >= killAt { kill() }
    if let limitAt, AwakeClock.now() >= limitAt {
      self.limitAt = nil
      if relay != nil { return stop(.limit, graceMilliseconds: order.graceMilliseconds) }
      isOverLimit = true
      kill()
    }
  }

  /// Only the worker itself, which may save its state: its children often have no handler.
  private mutating func warn() {
    warnAt = nil
    guard let warning = order.warning, workerEnd == nil, !isAskedToEnd else { return }
    _ = try? ProcessDescriptor(worker).signal(warning.signal)
  }

  /// Checks the log when that is due, or at the first output after a quiet time.
  private mutating func keepLog(hasChanged: Bool) {
    if let keeperDue, AwakeClock.now() >= keeperDue { beginKeeping() }
    if let lookAt = keeper?.lookAt, AwakeClock.now() >= lookAt {
      keeper?.look()
    } else if hasChanged {
      keeper?.look()
    }
  }

  private mutating func beginKeeping() {
    keeperDue = nil
    guard let limit = order.logLimit else { return }
    // If the log cannot be opened for this, it grows without a limit.
    keeper = try? LogTruncator(order.log, limit: limit, watches: order.watchesLog)
  }

  /// The last check; a short job may still have written a lot.
  private mutating func keepLogAtEnd() {
    if let limit = order.logLimit, keeperDue != nil,
      let size = ((try? File.status(order.log)) ?? nil)?.size, size > limit
    {
      beginKeeping()
    }
    keeper?.keep()
  }
}

/// The descriptors that become those of the worker.
private struct WorkerStreams {
  var input: Int32
  var output: Int32
  var errors: Int32
}
