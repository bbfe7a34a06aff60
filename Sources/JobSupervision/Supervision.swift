package import JobPage
package import LinuxSystem

/// One attempt from its start to the end of its last process.
package struct Supervision: ~Copyable {
  let order: LaunchOrder
  /// Nil where nobody listens.
  let runner: RunnerPipe?
  let record: RunRecordFile
  let signals: SignalDescriptor
  var tree: WorkerTree
  let startedMilliseconds: Int64

  var worker: Int32 = 0
  /// What the worker writes, when it has a terminal of its own.
  private var terminal: TerminalOutput?
  /// Nil before the first look at the log.
  private var keeper: LogTruncator?
  /// When that is due, on `AwakeClock`; nil once it is taken, and where nobody wants it.
  private var keeperDue: UInt64?
  var workerEnd: (status: RunRecord.Status, milliseconds: Int64)?
  /// As counted when the worker began; nil where the kernel does not count.
  var memoryKills: OutOfMemoryKills?
  /// Whether this process itself has killed the tree.
  var hasKilled = false
  var pausing: TreePause
  /// What is left is in the tree's group and no child of this process, which would hear of its end.
  private var isForeign = false
  var cpuMicroseconds: UInt64 = 0
  var transferred = BytesTransferred()
  var residentBytes: UInt64 = 0
  /// When the tree is to be killed (again), on `AwakeClock`; nil while it may run.
  var killAt: UInt64?
  var killPause: UInt64 = Self.firstKillPause
  /// When its time is up, on the same clock; nil while it may run, and once that was done.
  private var limitAt: UInt64?
  var isOverLimit = false

  /// Nil where the runner is on this machine.
  var relay: Relay?
  /// Why a job with a relay was told to stop, and when it is killed for that.
  var stopCause: RunRecord.StopCause?
  var stopDeadline: UInt64?
  /// It is told by SIGTERM, too.
  var terminates = true
  /// The serial of the control page that was carried out last.
  var obeyed: UInt64 = 0
  /// Nil while none is known, and once the job was told.
  var engineLimit: EngineLimit?
  /// On `AwakeClock`.
  let begunAt = AwakeClock.now()

  /// Between two batches over a tree that takes its time to die: 20 ms, doubling up to 1 s.
  private static let firstKillPause: UInt64 = 20_000_000
  static let lastKillPause: UInt64 = 1_000_000_000

  /// Before the first look at the log: many jobs are over by then, and need none.
  private static let beforeKeeping: UInt64 = 20_000_000

  /// Between two tries to write on a full disk: 50 ms, doubling up to 2 s.
  static let firstRoomPause: UInt64 = 50_000_000
  static let lastRoomPause: UInt64 = 2_000_000_000

  /// Runs the attempt unless its record shows that somebody else decided about it; the exit code.
  ///
  /// - Throws: where it cannot supervise; after a shortage (`SystemError.isShortage`) nothing has begun
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

  /// Says in the page what the record says, which a disk may lose; without a page nobody can prove that the
  /// attempt never began, and it is not made again.
  static func note(hasBegun: Bool, _ order: LaunchOrder) {
    guard let page = try? PageControl(path: order.page) else { return }
    try? page.write(hasBegun: hasBegun)
  }

  /// Makes this process a supervisor; what it is told by.
  static func prepare() throws(SystemError) -> SignalDescriptor {
    // Before anything else is there that a signal could interrupt.
    Signal.ignore(Signal.pipe)
    Signal.ignore(Signal.hangup)
    Signal.ignore(Signal.interrupt)
    Signal.ignore(Signal.fileTooLarge)
    let signals = try SignalDescriptor([
      Signal.child, Signal.terminate, Signal.user1, Signal.user2, Signal.urgent,
    ])
    // The runner may have made the session already; then this is refused and no matter.
    try? CurrentProcess.startSession()
    try CurrentProcess.adoptOrphans()
    return signals
  }

  static func identity() throws(SystemError) -> ProcessIdentity {
    if let identity = ProcessIdentity(pid: CurrentProcess.identifier) { return identity }
    // Opened once more for the reason: too many open files, as a rule.
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
  }

  /// Starts the worker; its own process writes `started` before the program's first instruction.
  ///
  /// - Throws: a shortage when nothing has begun.
  mutating func startWorker(
    _ shim: ProcessIdentity, _ passed: consuming FileDescriptor?
  ) throws(JobPageError) {
    do throws(SystemError) {
      let log = try openLog()
      LogHeading.write(order.heading, to: log, path: order.log)
      // What is ours was made for us alone; the worker's files are as open as its submitter's.
      if let mask = order.creationMask { CurrentProcess.setCreationMask(mask) }
      // Closed again when the worker has it: whoever writes to a pipe hears when nobody reads.
      let input = try WorkerInput.open(order.input, passed: passed)
      try launchPatiently(shim, input: input.number, log: log.number)
    } catch {
      if error.isShortage, relay == nil, try record.read().started == nil {
        // A disk that fills up may have taken a part of the line.
        try record.clear()
        Self.note(hasBegun: false, order)
        throw .system(error)
      }
      writeToLog("\(error)")
      try finish(.cannotStart(error.number), at: WallClock.now(), message: "\(error)")
    }
    // A folder that this process stays in could not be unmounted.
    try? CurrentProcess.changeDirectory("/")
  }

  /// Tries again for as long as the program cannot be executed for want of something, as the record has
  /// said by then that the worker starts; until a signal or the limit ends that.
  private mutating func launchPatiently(
    _ shim: ProcessIdentity, input: Int32, log: Int32
  ) throws(SystemError) {
    var pause = Self.firstRoomPause
    while true {
      do throws(SystemError) {
        return try launch(shim, input: input, log: log)
      } catch {
        guard error.isShortage, (try? record.read())?.started != nil else { throw error }
        if pause == Self.firstRoomPause { writeToLog("jobrun: \(error); trying again") }
        if try isEnded(within: pause) { throw error }
        pause = min(pause * 2, Self.lastRoomPause)
      }
    }
  }

  /// Sleeps; true when this process was told meanwhile to end its job, or the job's time is up.
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

  /// A pipe that took its place, and that nobody reads, holds nobody up.
  private borrowing func openLog() throws(SystemError) -> FileDescriptor {
    let log = try File.open(order.log, [.write, .append, .create, .nonblocking])
    try log.setNonblocking(false)
    return log
  }

  /// For the reader of the job's log; what cannot be written there is in the record.
  private borrowing func writeToLog(_ sentence: String) {
    let log = try? openLog()
    _ = try? log?.write(Array("\(sentence)\n".utf8))
  }

  /// Without a terminal the worker writes into its log, with one this process does.
  private mutating func launch(
    _ shim: ProcessIdentity, input: Int32, log: Int32
  ) throws(SystemError) {
    guard let size = order.terminal else {
      worker = try launch(shim, input: input, output: log, isTerminal: false)
      return
    }
    let pair = try TerminalPair(columns: size.columns, rows: size.rows)
    try pair.becomeControlling()
    var output = TerminalOutput(pair, log: try openLog())
    worker = try launch(shim, input: input, output: output.slaveNumber, isTerminal: true)
    output.begin()
    terminal = consume output
  }

  private mutating func launch(
    _ shim: ProcessIdentity, input: Int32, output: Int32, isTerminal: Bool
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
      .init(input, as: 0), .init(output, as: 1), .init(output, as: 2),
    ]
    spawn.announcement = Spawn.Announcement(
      prefix: RunRecord.Line.startedPrefix, suffix: RunRecord.Line.startedSuffix(shim: shim),
      record: record.number, listener: runner?.number ?? -1)
    return try tree.start(spawn)
  }
}

// Until the tree is empty.
extension Supervision {
  mutating func watch() throws(JobPageError) {
    memoryKills = OutOfMemoryKills(of: tree.group)
    if pausing.isDue { pausing.settle(tree, mayFreeze: true) }
    do throws(SystemError) { try awaitEnd() } catch { throw .system(error) }
    awaitOwnTerm()
    guard let workerEnd else { return }
    terminal?.finish()
    keepLogAtEnd()
    try finish(
      workerEnd.status, at: workerEnd.milliseconds, message: explanation(workerEnd.status))
  }

  /// Until no process of the tree is left; at once where none was started.
  private mutating func awaitEnd() throws(SystemError) {
    while worker > 0 {
      let childrenRemain = try reap()
      if workerEnd != nil {
        isForeign = tree.hasNoChild(among: childrenRemain)
        guard !isForeign || tree.group?.isPopulated == true else { return }
        if killAt == nil { askToLeave() }
      }
      try waitOnce()
    }
  }

  /// Until a signal, output, or the time to kill.
  private mutating func waitOnce() throws(SystemError) {
    var watched = [(number: signals.number, interest: Interest.readable)]
    if let number = terminal?.openNumber { watched.append((number, .readable)) }
    let output = watched.count - 1
    if let number = keeper?.number { watched.append((number, .readable)) }
    let look = isForeign ? AwakeClock.now() + Self.firstKillPause : nil
    let due = [
      killAt, limitAt, engineLimit?.stopAt, keeperDue, keeper?.lookAt, look, relay?.due,
    ].compactMap { $0 }.min()
    let ready = try Poll.wait(watched, until: due)
    for readiness in ready {
      if readiness.token == 0 {
        for signal in try signals.drain() { obey(signal) }
      } else if readiness.token <= output {
        terminal?.carry()
      }
    }
    keepLog(hasChanged: ready.contains { $0.token > output })
    if relay != nil { actAsRelay() }
    if let engineLimit, AwakeClock.now() >= engineLimit.stopAt { stop(at: engineLimit) }
    // Output that never ends must not put it off.
    if let killAt, AwakeClock.now() >= killAt { kill() }
    if let limitAt, AwakeClock.now() >= limitAt {
      self.limitAt = nil
      if relay != nil { return stop(.limit, graceMilliseconds: order.graceMilliseconds) }
      isOverLimit = true
      kill()
    }
  }

  /// Looks at the log when it is time, or when something was written after a while of nothing.
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
    // A log that cannot be opened for that grows as it did before.
    keeper = try? LogTruncator(order.log, limit: limit, watches: order.watchesLog)
  }

  /// The last look; a job that was over quickly may still have written a lot.
  private mutating func keepLogAtEnd() {
    if let limit = order.logLimit, keeperDue != nil,
      let size = ((try? File.status(order.log)) ?? nil)?.size, size > limit
    {
      beginKeeping()
    }
    keeper?.keep()
  }
}
