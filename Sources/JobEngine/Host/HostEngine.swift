internal import JobCore
internal import JobPage
internal import JobWire
internal import LinuxSystem

/// Starts and watches attempts on this machine.
final class HostEngine: Engine<HostAttempt> {
  /// The interval between two writes of a mirror, which are cheap on this machine.
  private static var pace: UInt32 { 2_000 }

  private var machine: MachineSurvey?
  /// Marks the answer of the driver among watched processes.
  private static var driver: UInt64 { .max - 1 }

  /// The turn in which processes were searched for last.
  private var searchedAt: UInt64 = 0

  override var silence: UInt64 { 5 * UInt64(Self.pace) * Self.millisecond }

  override func launch(_ launch: EngineLaunch, _ order: [UInt8]) {
    let attempt = HostAttempt(launch.attempt, in: store, pace: Self.pace)
    insert(attempt)
    begin(attempt, launch, order)
  }

  private func begin(_ attempt: HostAttempt, _ launch: EngineLaunch, _ order: [UInt8]) {
    attempt.pending = nil
    let name = attempt.name
    do throws(SystemError) {
      try attempt.makeFolder(launch, order)
      try attempt.folder.synchronise()
      let pid = try startNode(attempt.folder, gpus: launch.gpus)
      attempt.isChild = true
      report(.accepted(name, id: "\(pid)"))
      watch(attempt, pid)
    } catch {
      guard error.isShortage else {
        return over(attempt, .refused(name, message: "\(error)"))
      }
      attempt.pending = (launch, order)
      attempt.lookAt = AwakeClock.now() + 2 * Self.timeout
      report(.pending(name, .engine, message: "it cannot be started yet: \(error)"))
    }
  }

  /// A batch system pins GPUs in the environment of what it starts, too.
  private func startNode(_ folder: JobFolder, gpus: [String]) throws(SystemError) -> Int32 {
    var environment = CurrentProcess.environment()
    if !gpus.isEmpty {
      let pins = [
        "CUDA_VISIBLE_DEVICES=" + gpus.joined(separator: ","), "CUDA_DEVICE_ORDER=PCI_BUS_ID",
      ]
      environment.removeAll { entry in
        pins.contains { entry.starts(with: $0.utf8.prefix { $0 != UInt8(ascii: "=") }) }
      }
      environment += pins.map { Array($0.utf8) }
    }
    var spawn = Spawn([Array(program.utf8), Array(folder.path.utf8)], environment: environment)
    spawn.startsSession = true
    spawn.directory = Array("/".utf8)
    let nothing = try File.open("/dev/null", [.read])
    let complaints = try File.open(folder.nodeLog, [.write, .append, .create, .noFollow])
    spawn.descriptors = [
      .init(nothing.number, as: 0), .init(complaints.number, as: 1),
      .init(complaints.number, as: 2),
    ]
    return try spawn.start()
  }

  private func watch(_ attempt: HostAttempt, _ pid: Int32) {
    attempt.pid = pid
    // An attempt that cannot be watched is polled.
    guard let node = try? ProcessDescriptor(pid),
      (try? loop.add(node.number, .readable, token: UInt64(pid))) != nil
    else { return }
    attempt.node = consume node
  }

  override func adopt(_ adoption: EngineAdoption) {
    let name = adoption.attempt
    let attempt = HostAttempt(name, in: store, pace: Self.pace)
    attempt.goOn(with: adoption)
    attempt.readControl()
    insert(attempt)
    do throws(SystemError) {
      // A supervisor that an earlier helper may still be starting must find this decision.
      if try attempt.revoke() { return over(attempt, .revoked(name)) }
    } catch {
      attempt.lookAt = AwakeClock.now() + Self.timeout
      return report(.pending(name, .engine, message: "its state cannot be read: \(error)"))
    }
    goOn(attempt)
  }

  /// The attempt has been decided: it runs, or is over.
  private func goOn(_ attempt: HostAttempt) {
    guard let record = attempt.record()?.record else { return goOnWithoutRecord(attempt) }
    let supervisor = record.started?.shim ?? record.claimed.flatMap { claimant($0) }
    guard record.ended == nil, !record.isRevoked, let supervisor, supervisor.isAlive,
      ProcessStatus(pid: supervisor.pid)?.isZombie != true
    else { return conclude(attempt) }
    watch(attempt, supervisor.pid)
    look(attempt)
  }

  /// Its folder was removed, or cannot be read now: its supervisor is found by its command line.
  private func goOnWithoutRecord(_ attempt: HostAttempt) {
    attempt.lookAt = AwakeClock.now() + Self.timeout
    guard attempt.hasBegun, attempt.hasNoRecord else { return }
    if let supervisor = supervisor(of: attempt.folder) {
      watch(attempt, supervisor)
    } else {
      concludeRemoved(attempt)
    }
  }

  private func supervisor(of folder: JobFolder) -> Int32? {
    let name = program.split(separator: "/").last.map { String($0) }
    return ((try? File.names(in: "/proc")) ?? []).lazy.compactMap { Int32($0) }.first { pid in
      guard ProcessStatus(pid: pid)?.name == name,
        let bytes = try? File.readAll("/proc/\(pid)/cmdline", limit: 1 << 16)
      else { return false }
      return bytes.split(separator: 0).last.map { $0.elementsEqual(folder.path.utf8) } ?? false
    }
  }

  /// It has started, and the record of its end was removed: its work must not be repeated.
  private func concludeRemoved(_ attempt: HostAttempt) {
    over(attempt, .lost(attempt.name, .lost, message: attempt.removalMessage))
  }

  /// The process that has claimed it and not started it yet; another process may have its number by now.
  private func claimant(_ claim: RunRecord.Claimed) -> ProcessIdentity? {
    guard let pid = Int32(claim.job),
      ProcessStatus(pid: pid)?.name == program.split(separator: "/").last.map({ String($0) })
    else { return nil }
    return ProcessIdentity(pid: pid)
  }

  override func due(_ attempt: HostAttempt) -> UInt64 {
    min(attempt.lookAt, attempt.killAt ?? .max)
  }

  override func act(_ attempt: HostAttempt, at now: UInt64) {
    // A search scans all processes: first handle ends that were reported meanwhile.
    if let killAt = attempt.killAt, killAt <= now, searchedAt != now {
      searchedAt = now
      killFromHere(attempt)
    }
    guard attempt.lookAt <= now else { return }
    if let (launch, order) = attempt.pending {
      begin(attempt, launch, order)
    } else if attempt.node == nil, attempt.pid == nil || attempt.hasStarted {
      goOn(attempt)
    } else {
      look(attempt)
    }
  }

  /// Checks again soon while the attempt is about to start, or while a client watches.
  private func look(_ attempt: HostAttempt) {
    let now = AwakeClock.now()
    let pause: UInt64 =
      if !attempt.hasStarted {
        now < attempt.heardAt + 2 * Self.timeout ? 20 : 500
      } else {
        2_000
      }
    attempt.lookAt = now + pause * Self.millisecond
    observe(attempt)
  }

  override func ring(_ attempt: HostAttempt) {
    _ = try? attempt.node?.signal(Signal.user1)
    _ = try? attempt.node?.signal(Signal.continue)
  }

  /// Signals it as a batch system would, after which it ends its job with the job's grace.
  override func endUntold(_ attempt: HostAttempt) {
    _ = try? attempt.node?.signal(Signal.terminate)
  }

  override func expectKill(_ attempt: HostAttempt) {
    attempt.killAt = AwakeClock.now() + 2 * Self.timeout
  }

  /// Its supervisor did not do it: it hangs or is stopped.
  private func killFromHere(_ attempt: HostAttempt) {
    attempt.killAt = AwakeClock.now() + 2 * Self.timeout
    tree(of: attempt)?.kill()
    _ = try? attempt.node?.signal(Signal.kill)
  }

  /// All its processes; where its order was removed, the descendants of its supervisor.
  private func tree(of attempt: HostAttempt) -> ProcessTree? {
    guard File.exists(attempt.folder.order) else {
      return attempt.pid.flatMap { attempt.node == nil ? nil : ProcessIdentity(pid: $0) }.map {
        ProcessTree(root: $0, includesRoot: false, environmentEntry: nil)
      }
    }
    guard let bytes = try? File.readAll(attempt.folder.order, limit: 64 << 20),
      let order = try? LaunchOrder(decoding: bytes)
    else { return nil }
    return ProcessTree(of: order.environmentEntry, below: nil)
  }

  // What the machine has.

  override func survey(asksDriver: Bool) {
    let survey =
      machine
      ?? MachineSurvey(helper: File.parent(of: program) + "/jobrun-helper", folder: store)
    machine = survey
    if let answer = survey.begin(asksDriver: asksDriver) { return report(.machine(answer)) }
    // What cannot be watched has its answer at the deadline.
    if let descriptor = survey.descriptor {
      _ = try? loop.add(descriptor, .readable, token: Self.driver)
    }
  }

  private func tellMachine() {
    if let descriptor = machine?.descriptor { loop.remove(descriptor) }
    if let answer = machine?.finish() { report(.machine(answer)) }
  }

  override var ownDue: UInt64? { machine?.due }

  override func act(at now: UInt64) {
    if let due = machine?.due, due <= now { tellMachine() }
  }

  // The end of attempts.

  override func ready(_ token: UInt64) {
    if token == Self.driver { return tellMachine() }
    let pid = Int32(truncatingIfNeeded: token)
    guard let attempt = attempts.values.first(where: { $0.pid == pid && $0.node != nil }) else {
      return
    }
    if let node = attempt.node.take() { loop.remove(node.number) }
    if attempt.isChild { _ = try? ChildProcess.reap(pid) }
    conclude(attempt)
  }

  /// It has no supervisor any more: its record is final.
  private func conclude(_ attempt: HostAttempt) {
    let name = attempt.name
    do throws(SystemError) {
      if try attempt.revoke() { return over(attempt, .revoked(name)) }
    } catch {
      attempt.lookAt = AwakeClock.now() + Self.timeout
      return report(.note("the record of job \(name.job) cannot be read: \(error)"))
    }
    guard let (record, text) = attempt.record() else {
      attempt.lookAt = AwakeClock.now() + Self.timeout
      if attempt.hasBegun, attempt.hasNoRecord { concludeRemoved(attempt) }
      return
    }
    if record.isRevoked { return over(attempt, .revoked(name)) }
    guard record.ended != nil else { return clear(attempt, record) }
    attempt.tellRest(record, report)
    over(attempt, .ended(name, record: text, nil, message: ""))
  }

  /// Its supervisor has died: ends the rest of its tree before that is reported.
  private func clear(_ attempt: HostAttempt, _ record: RunRecord) {
    if let tree = tree(of: attempt), !tree.isEmpty() {
      tree.kill()
      attempt.lookAt = AwakeClock.now() + 20 * Self.millisecond
      return
    }
    attempt.tellRest(record, report)
    over(
      attempt,
      .lost(
        attempt.name, .lost, message: "its supervisor died and could not record how the job ended"))
  }

  override func over(_ attempt: HostAttempt, _ last: EngineReport) {
    if let node = attempt.node.take() {
      loop.remove(node.number)
      // The supervisor is about to find that the attempt is not its own.
      if attempt.isChild, let pid = attempt.pid { ChildProcess.discard(pid, environmentEntry: []) }
    }
    super.over(attempt, last)
  }
}
