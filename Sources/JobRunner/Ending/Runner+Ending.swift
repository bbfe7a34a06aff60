import JobCore
import JobPage
import JobStore
import JobWire
import LinuxSystem

// Commands that follow the ends of jobs. The store says which are due, the run record of each whether
// it was begun: a command is begun once, whenever this runner dies, and never again when it was cut
// short.
extension Runner {
  /// Takes over what an earlier runner left: some is due, some runs, some is over.
  func restoreEndCommands() throws(StoreError) {
    let due = try store.endCommands()
    endings.waiting = due
    let known = Set(due.map { home.places.endRecord($0.number, command: $0.id) })
    for name in (try? File.names(in: home.places.endRecords)) ?? [] {
      let path = "\(home.places.endRecords)/\(name)"
      if !known.contains(path) { try? File.remove(path) }
    }
    beginEndCommands()
  }

  /// Begins what a turn has made due.
  func begin(_ due: [EndCommandRow]) {
    guard !due.isEmpty else { return }
    endings.waiting += due
    beginEndCommands()
  }

  /// Begins what waits, as many as may run at the same time.
  func beginEndCommands() {
    endings.tryAgainAt = nil
    while endings.tryAgainAt == nil, endings.runs.count < Endings.runsAtOnce,
      !endings.waiting.isEmpty
    {
      proceed(endings.waiting.removeFirst())
    }
  }

  /// Does what the run record of a command asks for.
  private func proceed(_ row: EndCommandRow) {
    do {
      let path = home.places.endRecord(row.number, command: row.id)
      let file = try RunRecordFile(path: path)
      let isFree = try file.tryLock()
      let record = try file.read()
      if let ended = record.ended {
        if case .cannotStart(let number) = ended.status, SystemError("start", number).isNoRoom {
          // Not one instruction of it ran, for want of room on the disk.
          try File.remove(path)
          return putOff(row)
        }
        return conclude(row, ended)
      }
      if let started = record.started {
        guard !isFree else { return conclude(row, warning: "was cut short") }
        // One that ends at this moment is gone; its record then says how.
        guard let supervisor = try? ProcessDescriptor(started.shim) else { return putOff(row) }
        return try watch(row, supervisor, isChild: false)
      }
      // The supervisor of a dead runner is about to begin.
      guard isFree else { return putOff(row) }
      if endings.vain[row.id, default: 0] >= Endings.vainStarts {
        return conclude(row, warning: "could not be begun")
      }
      _ = consume file
      try start(row, record: path)
    } catch {
      if let trouble = Self.passingTrouble(error) {
        note("what follows the end of job \(row.number) cannot be begun yet: \(trouble)")
        return putOff(row)
      }
      conclude(row, warning: "could not be begun: \(error)")
    }
  }

  private func putOff(_ row: EndCommandRow) {
    endings.waiting.insert(row, at: 0)
    endings.tryAgainAt = clock() + .seconds(1)
  }

  private func start(_ row: EndCommandRow, record: String) throws {
    let specification = try endSpecification(of: row)
    var order = LaunchOrder(
      record: record, page: "", log: home.places.log(row.number),
      stateDirectory: home.places.jobState(row.number),
      token: "end.\(row.id).\(RandomBytes.hexadecimal(count: 8))", graceMilliseconds: 1_000,
      creationMask: specification.creationMask ?? creationMask, specification: specification)
    order.limitMilliseconds = configuration.onEnd.limit.milliseconds
    let job = (try? store.job(row.number)) ?? nil
    order.logLimit = job?.asked.logLimit ?? configuration.logLimit
    let token = "JOBRUN_TOKEN=\(order.token)"
    order.specification.replace(with: [token])
    let content = try MemoryFile.make(order.encoded(), name: "jobrun-order")
    // Nobody listens to it: its record tells the same. Few are started, and each must be known for
    // certain to have been: none is a copy.
    let nobody = try File.open("/dev/null", [.read, .write])
    let pid = try supervisors.execute(order: content, announcing: nobody)
    do throws(SystemError) {
      try watch(row, ProcessDescriptor(pid), isChild: true)
    } catch {
      ChildProcess.discard(pid, environmentEntry: Array(token.utf8))
      throw error
    }
  }

  /// The submitter's folder and environment, with how the job ended; for a job that a process
  /// hosted, the runner's own.
  private func endSpecification(of row: EndCommandRow) throws -> LaunchSpecification {
    var specification = LaunchSpecification(
      directory: Array("/".utf8), arguments: [], environment: CurrentProcess.environment())
    if let bytes = try store.specification(row.number) {
      specification = try LaunchSpecification(decoding: bytes)
    }
    specification.arguments = ["/bin/sh", "-c", row.command].map { Array($0.utf8) }
    // It is no part of a job, even if the job was submitted by one.
    specification.environment.removeAll { entry in
      ["JOBRUN_PAGE=", "JOBRUN_STATE_DIR=", "JOBRUN_KIND="].contains { entry.starts(with: $0.utf8) }
    }
    let entries = row.variables.split(separator: 0)
    specification.replace(with: entries.map { String(decoding: $0, as: UTF8.self) })
    return specification
  }

  private func watch(
    _ row: EndCommandRow, _ supervisor: consuming ProcessDescriptor, isChild: Bool
  ) throws(SystemError) {
    let run = Endings.Run(
      row, supervisor, isChild: isChild,
      overdueAt: clock() + configuration.onEnd.limit + Endings.respite)
    let id = row.id
    try loop.watch(run.supervisor.number) { [unowned self] _ in endCommandEnded(id) }
    endings.runs[row.id] = run
  }

  /// When a command is looked at that its supervisor should have ended; nil = none runs.
  var nextOverdueEnding: Instant? { endings.runs.values.map(\.overdueAt).min() }

  /// A supervisor that somebody has stopped ends nothing: it is let go on, and in the end killed.
  func hastenEndings(at now: Instant) {
    for run in endings.runs.values where run.overdueAt <= now {
      run.overdueAt = now + Endings.respite
      run.kills += 1
      let isStopped = ProcessStatus(pid: run.supervisor.pid)?.isStopped == true
      let signals =
        isStopped && run.kills > 2 ? [Signal.kill] : [Signal.user1, Signal.continue]
      for signal in signals { _ = try? run.supervisor.signal(signal) }  // it may be gone by now
    }
  }

  /// A supervisor has ended; its record says what became of the command.
  func endCommandEnded(_ id: UInt64) {
    guard let run = endings.runs.removeValue(forKey: id) else { return }
    loop.remove(run.supervisor.number)
    let end = run.isChild ? try? ChildProcess.reap(run.supervisor.pid) : nil
    switch try? RunRecordFile.content(of: home.places.endRecord(run.row.number, command: id)) {
    case nil: return putOff(run.row)
    case .record(let record)? where !record.isEmpty: break
    default:
      if case .ended(let end)? = end, end.status == .exited(LaunchOrder.heldExitCode) {
        return putOff(run.row)
      }
      endings.vain[id, default: 0] += 1
    }
    proceed(run.row)
    beginEndCommands()
  }

  private func conclude(_ row: EndCommandRow, _ ended: RunRecord.Ended) {
    switch ended.status {
    case .exited(0): conclude(row, warning: nil)
    case .exited(let code): conclude(row, warning: "ended with exit code \(code)")
    case .signalled(let number):
      let why = ended.message.isEmpty ? "" : ": \(ended.message)"
      conclude(row, warning: "was ended by \(Signal.name(number))\(why)")
    case .cannotStart: conclude(row, warning: "could not be begun: \(ended.message)")
    }
  }

  /// Forgets a command that is over; what went wrong is kept with the job, in its log and for
  /// `runner status`.
  private func conclude(_ row: EndCommandRow, warning: String?) {
    let sentence = warning.map { "the command that follows its end \($0)" }
    do throws(StoreError) {
      // Durable before its record goes: without both it would be begun again after a power cut.
      try store.transaction(.full) { () throws(StoreError) in
        try store.endCommandIsOver(row, warning: sentence)
      }
    } catch {
      note("cannot store: \(error.message)")
      return putOff(row)
    }
    endings.vain[row.id] = nil
    // The store does not know of it any more: what is left of it harms nobody.
    try? File.remove(home.places.endRecord(row.number, command: row.id))
    guard let sentence else { return }
    note("job \(row.number): \(sentence)")
    let log = try? File.open(home.places.log(row.number), [.write, .append, .noFollow])
    _ = try? log?.write(Array("jobrun: \(sentence)\n".utf8))
  }
}
