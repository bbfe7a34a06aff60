internal import JobCore
internal import JobPage
internal import JobWire
internal import LinuxSystem

/// Runs attempts on its machines, for a runner that may be elsewhere.
///
/// It keeps nothing that a kill could lose: decisions are in the jobs' folders, supervisors outlive it, and
/// its successor reads from these files what became of each attempt. Subclasses start, find and signal
/// attempts.
class Engine<Attempt: FolderAttempt> {
  let report: (EngineReport) -> Void
  /// The supervisor's program.
  let program: String
  var loop: EventLoop
  /// `FOLDER/STORE/ENGINE`, used by this engine alone; empty before the runner has said hello.
  private(set) var store = ""
  var attempts: [EngineAttempt: Attempt] = [:]
  private var slots = ChangeSlots()
  /// When to check the mirrors for changes next; nil = there are none.
  private var changesAt: UInt64?

  static var millisecond: UInt64 { 1_000_000 }
  /// The interval between two reads of the file that announces changed mirrors.
  static var changePause: UInt64 { 500 * millisecond }
  /// The interval between two tries after a temporary failure.
  static var timeout: UInt64 { 1_000 * millisecond }

  init(program: String, report: @escaping (EngineReport) -> Void) throws(SystemError) {
    self.program = program
    self.report = report
    loop = try EventLoop()
  }

  // Overridden by the kinds of engines.

  /// The runner has identified itself and sent the settings.
  func greet(_ greeting: EngineGreeting) {}
  func launch(_ launch: EngineLaunch, _ order: [UInt8]) {}
  /// An attempt of an earlier helper, which may have been told to launch it or not.
  func adopt(_ adoption: EngineAdoption) {}
  /// All attempts of the earlier helper are known.
  func adopted() { report(.adopted) }
  /// Answers what its machine has; a cluster's is not asked.
  func survey(asksDriver: Bool) {}
  /// The runner is gone; finishes the requested work.
  func leave() {}
  /// Tells the supervisor that its control page is new; never before the worker has started, as the signal
  /// would end it.
  func ring(_ attempt: Attempt) {}
  /// The supervisor was told to stop the attempt, and may not react.
  func expectStop(_ attempt: Attempt) {}
  /// The supervisor was told to kill the attempt, and may hang.
  func expectKill(_ attempt: Attempt) {}
  /// The attempt must end, but its supervisor cannot be reached.
  func endUntold(_ attempt: Attempt) {}
  /// The attempt has not started and never will: removes what the engine still has of it.
  func withdraw(_ attempt: Attempt) {}
  func act(_ attempt: Attempt, at now: UInt64) {}
  func act(at now: UInt64) {}
  /// A descriptor watched under this number is ready.
  func ready(_ token: UInt64) {}
  /// When to check an attempt.
  func due(_ attempt: Attempt) -> UInt64 { attempt.lookAt }
  /// Whether to ring supervisors when a client starts to watch; otherwise they see it at their next poll.
  var ringsForWatchers: Bool { true }
  /// When there is work beside the attempts, on `AwakeClock`.
  var ownDue: UInt64? { nil }
  /// Nanoseconds without a sign of life before the user sees a warning.
  var silence: UInt64 { 30_000 * Self.millisecond }

  /// Serves the orders on `input` until it ends.
  func serve(_ input: borrowing FileDescriptor) throws(SystemError) {
    try input.setNonblocking(true)
    try loop.add(input.number, .readable, token: UInt64.max)
    var stream = OrderStream()
    var bytes: [UInt8] = []
    while true {
      for event in try loop.wait(until: nextDue) {
        guard event.token == UInt64.max else {
          ready(event.token)
          continue
        }
        bytes.removeAll(keepingCapacity: true)
        switch try input.read(into: &bytes) {
        case .end: return leave()
        case .wouldBlock: continue
        case .bytes: stream.append(bytes)
        }
        while let element = stream.next() {
          switch element {
          case .order(let order, let bytes): obey(order, bytes)
          case .nonsense(let why): report(.note(why))
          }
        }
      }
      let now = AwakeClock.now()
      if let changesAt, changesAt <= now { takeChanges(at: now) }
      for attempt in attempts.values where due(attempt) <= now { act(attempt, at: now) }
      act(at: now)
    }
  }

  private var nextDue: UInt64? {
    let due = [ownDue, changesAt].compactMap { $0 }.min()
    return attempts.values.reduce(due) { min($0 ?? .max, self.due($1)) }
  }

  /// Registers an attempt and gives its supervisor the slot for its changes.
  func insert(_ attempt: Attempt) {
    slots.assign(to: &attempt.control)
    attempts[attempt.name] = attempt
    changesAt = changesAt ?? AwakeClock.now() + Self.changePause
  }

  /// Checks the attempts whose mirrors have changed.
  private func takeChanges(at now: UInt64) {
    changesAt = attempts.isEmpty ? nil : now + Self.changePause
    guard let words = try? ChangeFile.read(in: store, below: slots.end) else { return }
    for attempt in Array(attempts.values) {
      let slot = Int(attempt.control.slot)
      guard slot > 0, slot < words.count, words[slot] != attempt.seenChange else { continue }
      attempt.seenChange = words[slot]
      attempt.lookAt = now
      act(attempt, at: now)
    }
  }

  private func obey(_ order: EngineOrder, _ bytes: [UInt8]) {
    switch order {
    case .hello(let greeting):
      let folder = greeting.folder.isEmpty ? EngineService.defaultFolder : greeting.folder
      store = "\(folder)/\(greeting.store)/\(greeting.engine)"
      do throws(SystemError) {
        try ChangeFile.make(in: store)
      } catch {
        report(.note("changes are seen late, as they cannot be announced: \(error)"))
      }
      greet(greeting)
      report(.ready(version: EngineOrder.version, node: CurrentProcess.hostName()))
      share(folder, with: greeting.store)
    case .launch(let launch):
      if attempts[launch.attempt] == nil, !store.isEmpty { self.launch(launch, bytes) }
    case .adopt(let names, let waiting):
      if store.isEmpty { break }
      if let waiting {
        tidy(but: Set(waiting + names.map { $0.attempt.job } + attempts.keys.map { $0.job }))
      }
      for name in names {
        if let known = attempts[name.attempt] {
          // Marks the start of the reports that this order asks for.
          report(.log(name.attempt, from: name.logBytes, []))
          known.goOn(with: name)
        } else {
          adopt(name)
        }
      }
      adopted()
    case .stop(let name, let reason, let grace, let terminates):
      tell(name) {
        $0.isStopped = true
        $0.reason = reason
        $0.graceMilliseconds = UInt32(clamping: grace)
        $0.terminates = terminates
      }
      if let attempt = attempts[name] { expectStop(attempt) }
    case .kill(let name):
      tell(name) { $0.isKilled = true }
      if let attempt = attempts[name] { expectKill(attempt) }
    case .withdraw(let name):
      guard let attempt = attempts[name], !attempt.hasStarted,
        (try? attempt.revoke()) == true
      else { return }
      withdraw(attempt)
      over(attempt, .revoked(name))
    case .watch(let name, let seconds):
      guard let attempt = attempts[name] else { return }
      attempt.fastUntil = AwakeClock.now() + UInt64(seconds) * 1_000 * Self.millisecond
      attempt.lookAt = AwakeClock.now()
      tell(name, rings: ringsForWatchers) { $0.fastSeconds = seconds }
    case .forget(let name):
      if attempts[name] == nil, !store.isEmpty { Attempt(name, in: store, pace: 0).remove() }
    case .survey(let gpus): survey(asksDriver: gpus)
    case .ping: report(.pong)
    }
  }

  /// Removes finished attempts of jobs that the runner does not know: an earlier runner died before it
  /// could ask for that.
  func tidy(but live: Set<JobNumber>) {
    for name in (try? File.names(in: "\(store)/jobs")) ?? [] {
      guard let (number, attempt) = JobFolder(path: name).attempt,
        let attempt = Int(exactly: attempt), !live.contains(JobNumber(number))
      else { continue }
      let left = Attempt(EngineAttempt(JobNumber(number), attempt), in: store, pace: 0)
      let record = left.record()?.record
      // Without its order the attempt cannot start: it is a leftover written while the folder was being
      // removed.
      if record?.ended != nil || record?.isRevoked == true || !File.exists(left.folder.order) {
        left.remove()
      }
    }
  }

  /// Reports other stores with jobs in the folder; names keep them apart.
  private func share(_ folder: String, with store: String) {
    let path = "\(folder)/owner"
    if let bytes = try? File.readAll(path, limit: 4096),
      let blank = bytes.firstIndex(of: 0x20)
    {
      let owner = String(decoding: bytes[..<blank], as: UTF8.self)
      if owner == store { return }
      let theirs = "\(folder)/\(SafeText.shown(owner))"
      let engines = (try? File.names(in: theirs)) ?? []
      let whose = SafeText.shown(String(decoding: bytes[(blank + 1)...], as: UTF8.self))
      if engines.contains(where: { (try? File.names(in: "\(theirs)/\($0)/jobs"))?.isEmpty == false }
      ) {
        return report(.note("jobs in \(folder) are also watched by the runner on \(whose)"))
      }
    }
    let line =
      "\(store) \(CurrentProcess.hostName()) since \(WallTime(milliseconds: WallClock.now()).text)\n"
    // Only that report depends on it.
    try? File.makeDirectories(folder)
    try? File.writeAtomically(Array(line.utf8), to: path)
  }

  /// Writes an order to the supervisor; an attempt that is to end and has not started by now never will.
  private func tell(
    _ name: EngineAttempt, rings: Bool = true, _ change: (inout ControlPage) -> Void
  ) {
    guard let attempt = attempts[name] else { return }
    change(&attempt.control)
    do throws(SystemError) {
      let isOver = attempt.control.isStopped || attempt.control.isKilled
      if isOver, !attempt.hasStarted, try attempt.revoke() {
        withdraw(attempt)
        return over(attempt, .revoked(name))
      }
      try attempt.writeControl()
    } catch  where error.number == SystemError.notFound {
      // Without its folder the supervisor cannot be told; an attempt that has not started has no
      // supervisor.
      if attempt.control.isStopped || attempt.control.isKilled { endUntold(attempt) }
      return
    } catch {
      report(.note("job \(name.job) cannot be told: \(error)"))
    }
    // The supervisor polls, too.
    if rings, attempt.hasStarted { ring(attempt) }
  }

  /// Checks an attempt; repeats orders that came too early for its supervisor.
  func observe(_ attempt: Attempt) {
    let couldHear = attempt.hasStarted
    attempt.look(silence: silence, report)
    if !couldHear, attempt.hasStarted, attempt.control.serial > 0 { ring(attempt) }
  }

  /// Reports the end of an attempt and forgets it.
  func over(_ attempt: Attempt, _ last: EngineReport) {
    if attempts.removeValue(forKey: attempt.name) != nil { slots.giveBack(attempt.control.slot) }
    report(last)
  }
}
