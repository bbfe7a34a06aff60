import JobCore
import JobPage
import JobStore
import JobWire
import LinuxSystem

/// The commands that follow the ends of jobs: a few at a time, in order, each with a supervisor that outlives
/// this runner.
///
/// The store has the due ones, and the run record of each shows whether it was begun: a command is begun once,
/// even if the runner dies at any point, and never repeated after it was interrupted.
final class EndCommands: Part {
  /// A command below its supervisor.
  private final class Run {
    let row: EndCommandRow
    let supervisor: ProcessDescriptor
    /// Started by this runner, which therefore must reap it.
    let isChild: Bool
    /// When its supervisor should have ended it: the limit, and some time to do that.
    var overdueAt: Instant
    /// How often its supervisor was told to kill it.
    var kills = 0

    init(
      _ row: EndCommandRow, _ supervisor: consuming ProcessDescriptor, isChild: Bool,
      overdueAt: Instant
    ) {
      self.row = row
      self.supervisor = supervisor
      self.isChild = isChild
      self.overdueAt = overdueAt
    }
  }

  /// Commands that run at the same time.
  private static let runsAtOnce = 4
  /// The time that a supervisor has after the limit until all its processes have ended.
  private static let respite = Interval.seconds(5)
  /// How often a supervisor is restarted if it ends before its command begins.
  private static let failedStartLimit = 3

  private let loop: Reactor
  private let launcher: EndCommandLauncher
  private let store: Store
  private let paths: Paths
  private let configuration: () -> RunnerConfiguration
  private let trouble: (String) -> Void
  /// In the order of the ends.
  private var waiting: [EndCommandRow] = []
  private var runs: [UInt64: Run] = [:]
  /// Supervisors of commands that wait to be watched, children of this runner, by command.
  private var unwatched: [UInt64: Int32] = [:]
  /// How many supervisors ended before they had begun, by command.
  private var failedStarts: [UInt64: Int] = [:]
  /// Of an earlier runner, on a disk that was mounted again since: an empty record proves nothing.
  private var uncertain: Set<UInt64> = []
  /// When to retry after a missing resource.
  private var tryAgainAt: Instant?

  /// `configuration` returns the current settings; `trouble` gets a sentence about each failure.
  init(
    loop: Reactor, launcher: EndCommandLauncher, store: Store, paths: Paths,
    configuration: @escaping () -> RunnerConfiguration, trouble: @escaping (String) -> Void
  ) {
    self.loop = loop
    self.launcher = launcher
    self.store = store
    self.paths = paths
    self.configuration = configuration
    self.trouble = trouble
  }

  var isIdle: Bool { waiting.isEmpty && runs.isEmpty }

  /// The unfinished commands, as stored.
  var unfinished: [EndCommandRow] { waiting + runs.values.map(\.row) }

  /// Whether something is due or runs because this job has ended.
  func concerns(_ number: JobNumber) -> Bool {
    waiting.contains { $0.number == number } || runs.values.contains { $0.row.number == number }
  }

  var nextDue: Instant? {
    (runs.values.map(\.overdueAt) + [tryAgainAt].compactMap(\.self)).min()
  }

  func act(at now: Instant) {
    for run in runs.values where run.overdueAt <= now { hasten(run, at: now) }
    if let tryAgainAt, tryAgainAt <= now { beginNext() }
  }

  /// Restores an earlier runner's commands, which are due, running or over.
  ///
  /// `recordsMayBeLost`: whether unsynced writes to records may be lost.
  func restore(recordsMayBeLost: Bool) throws(StoreError) {
    waiting = try store.endCommands()
    if recordsMayBeLost { uncertain = Set(waiting.map(\.id)) }
    let known = Set(waiting.map { paths.endRecord($0.number, command: $0.id) })
    for name in (try? File.names(in: paths.endRecords)) ?? [] {
      let path = "\(paths.endRecords)/\(name)"
      if !known.contains(path) { try? File.remove(path) }
    }
    beginNext()
  }

  /// Begins commands that have become due and are stored.
  func begin(_ due: [EndCommandRow]) {
    guard !due.isEmpty else { return }
    waiting += due
    beginNext()
  }

  /// Begins waiting commands, up to the limit.
  private func beginNext() {
    tryAgainAt = nil
    while tryAgainAt == nil, runs.count < Self.runsAtOnce, !waiting.isEmpty {
      proceed(waiting.removeFirst())
    }
  }

  /// Continues a command according to its run record.
  private func proceed(_ row: EndCommandRow) {
    do {
      if let pid = unwatched[row.id] {
        try watch(row, ProcessDescriptor(pid), isChild: true)
        unwatched[row.id] = nil
        return
      }
      let path = paths.endRecord(row.number, command: row.id)
      let file = try RunRecordFile(path: path)
      let isFree = try file.tryLock()
      let record = try file.read()
      if let ended = record.ended {
        if case .cannotStart(let number) = ended.status, SystemError("start", number).isNoRoom {
          // Its command never began, because the disk was full.
          try File.remove(path)
          return putOff(row)
        }
        return conclude(row, ended)
      }
      if let started = record.started {
        guard !isFree else { return conclude(row, warning: "was cut short") }
        // If the supervisor has just ended, its record has the result.
        guard let supervisor = try? ProcessDescriptor(started.shim) else { return putOff(row) }
        return try watch(row, supervisor, isChild: false)
      }
      // The supervisor of a dead runner is about to begin.
      guard isFree else { return putOff(row) }
      if uncertain.contains(row.id) {
        return conclude(
          row, warning: "may have run: the disk was mounted again and has lost its record")
      }
      if failedStarts[row.id, default: 0] >= Self.failedStartLimit {
        return conclude(row, warning: "could not be started")
      }
      _ = consume file
      try start(row, record: path)
    } catch {
      if let why = error.transientFailure {
        trouble("the on-end command of job \(row.number) cannot be started yet: \(why)")
        return putOff(row)
      }
      conclude(row, warning: "could not be started: \(error)")
    }
  }

  private func putOff(_ row: EndCommandRow) {
    waiting.insert(row, at: 0)
    tryAgainAt = AwakeClock.instant(in: .seconds(1))
  }

  private func start(_ row: EndCommandRow, record: String) throws {
    let (pid, token) = try launcher.start(row, record: record, configuration())
    do throws(SystemError) {
      try watch(row, ProcessDescriptor(pid), isChild: true)
    } catch {
      if error.isShortage {
        unwatched[row.id] = pid
        throw error
      }
      ChildProcess.discard(pid, environmentEntry: Array(token.utf8))
      throw error
    }
  }

  private func watch(
    _ row: EndCommandRow, _ supervisor: consuming ProcessDescriptor, isChild: Bool
  ) throws(SystemError) {
    let run = Run(
      row, supervisor, isChild: isChild,
      overdueAt: AwakeClock.instant(in: configuration().onEnd.limit + Self.respite))
    let id = row.id
    try loop.watch(run.supervisor.number) { [unowned self] _ in supervisorEnded(id) }
    runs[row.id] = run
  }

  /// Hastens the end: a stopped supervisor cannot end its command, so it is continued, and killed at last.
  private func hasten(_ run: Run, at now: Instant) {
    run.overdueAt = now + Self.respite
    run.kills += 1
    let isStopped = ProcessStatus(pid: run.supervisor.pid)?.isStopped == true
    let signals = isStopped && run.kills > 2 ? [Signal.kill] : [Signal.user1, Signal.continue]
    for signal in signals { _ = try? run.supervisor.signal(signal) }  // it may be gone by now
  }

  /// A supervisor has ended; its record has the command's result.
  private func supervisorEnded(_ id: UInt64) {
    guard let run = runs.removeValue(forKey: id) else { return }
    loop.remove(run.supervisor.number)
    let end = run.isChild ? try? ChildProcess.reap(run.supervisor.pid) : nil
    switch try? RunRecordFile.content(of: paths.endRecord(run.row.number, command: id)) {
    case nil: return putOff(run.row)
    case .record(let record)? where !record.isEmpty: break
    default:
      if case .ended(let end)? = end, end.status == .exited(LaunchOrder.heldExitCode) {
        return putOff(run.row)
      }
      failedStarts[id, default: 0] += 1
    }
    proceed(run.row)
    beginNext()
  }

  private func conclude(_ row: EndCommandRow, _ ended: RunRecord.Ended) {
    switch ended.status {
    case .exited(0): conclude(row, warning: nil)
    case .exited(let code): conclude(row, warning: "ended with exit code \(code)")
    case .signalled(let number):
      let why = ended.message.isEmpty ? "" : ": \(ended.message)"
      conclude(row, warning: "was ended by \(Signal.name(number))\(why)")
    case .cannotStart: conclude(row, warning: "could not be started: \(ended.message)")
    }
  }

  /// Forgets a finished command; a failure is kept with the job, in its log and for `runner status`.
  private func conclude(_ row: EndCommandRow, warning: String?) {
    let sentence = warning.map { "its on-end command \($0)" }
    do throws(StoreError) {
      // Durable before its record goes: without both it would be begun again after a power cut.
      try store.transaction(.full) { () throws(StoreError) in
        try store.endCommandIsOver(row, warning: sentence)
      }
    } catch {
      trouble("cannot store: \(error.message)")
      return putOff(row)
    }
    failedStarts[row.id] = nil
    // The store has forgotten it, so a leftover record does no harm.
    try? File.remove(paths.endRecord(row.number, command: row.id))
    guard let sentence else { return }
    trouble("job \(row.number): \(sentence)")
    let log = try? File.open(paths.log(row.number), [.write, .append, .noFollow, .nonblocking])
    _ = try? log?.write(Array("jobrun: \(sentence)\n".utf8))
  }
}
