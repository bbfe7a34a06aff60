internal import JobCore
internal import JobPage
internal import JobWire
internal import LinuxSystem

/// Has attempts run where it can, for a runner that may be elsewhere.
///
/// It keeps nothing that a kill could lose: what is decided stands in the jobs' folders, supervisors outlive
/// it, and whoever comes after it finds out from these what became of each attempt. Subclasses know how an
/// attempt is started, found again and signalled.
class Engine<Attempt: FolderAttempt> {
  let report: (EngineReport) -> Void
  /// The supervisor's program.
  let program: String
  var loop: EventLoop
  /// `FOLDER/STORE/ENGINE`, where nobody else has anything; empty before the runner has said hello.
  private(set) var store = ""
  var attempts: [EngineAttempt: Attempt] = [:]
  private var slots = ChangeSlots()
  /// When to find out next whose mirrors are new; nil = nobody has one.
  private var changesAt: UInt64?

  /// Where the jobs' folders are when nobody has said so.
  private static var defaultFolder: String {
    let home = CurrentProcess.environmentValue("HOME") ?? "/tmp"
    let state = CurrentProcess.environmentValue("XDG_STATE_HOME") ?? "\(home)/.local/state"
    return "\(state)/jobrun/engine"
  }

  static var millisecond: UInt64 { 1_000_000 }
  /// Between two looks at the file in which supervisors say what is new.
  static var changePause: UInt64 { 500 * millisecond }
  /// Between two tries of what failed for now.
  static var timeout: UInt64 { 1_000 * millisecond }

  init(program: String, report: @escaping (EngineReport) -> Void) throws(SystemError) {
    self.program = program
    self.report = report
    loop = try EventLoop()
  }

  // What kinds differ in.

  /// The runner has said who it is, and what is configured.
  func greet(_ greeting: EngineGreeting) {}
  func launch(_ launch: EngineLaunch, _ order: [UInt8]) {}
  /// An earlier helper was told to launch it, or was not.
  func adopt(_ adoption: EngineAdoption) {}
  /// All of them are known.
  func adopted() { report(.adopted) }
  /// The runner wants nothing more; what was asked for is handed on.
  func leave() {}
  /// Its control page is new, and its supervisor can hear of it: before its worker has begun, a signal would
  /// end it.
  func ring(_ attempt: Attempt) {}
  /// Its supervisor is told to stop it, and may not hear.
  func expectStop(_ attempt: Attempt) {}
  /// Its supervisor is told to kill, and may hang.
  func expectKill(_ attempt: Attempt) {}
  /// It is to end, and its supervisor cannot be told.
  func endUntold(_ attempt: Attempt) {}
  /// Nothing has begun, and nothing will: what is left of it with the engine may go.
  func withdraw(_ attempt: Attempt) {}
  func act(_ attempt: Attempt, at now: UInt64) {}
  func act(at now: UInt64) {}
  /// Something that it watches under this number is ready.
  func ready(_ token: UInt64) {}
  /// When an attempt is to be looked at.
  func due(_ attempt: Attempt) -> UInt64 { attempt.lookAt }
  /// Whether supervisors are rung when somebody begins to watch; else they see it with their next look.
  var ringsForWatchers: Bool { true }
  /// When there is something to be done beside the attempts, on `AwakeClock`.
  var ownDue: UInt64? { nil }
  /// After so many nanoseconds without a sign of life people are told.
  var silence: UInt64 { 30_000 * Self.millisecond }

  /// Serves what comes on `input` until that ends.
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

  /// An attempt is here, and its supervisor is told where to say that its mirror is new.
  func insert(_ attempt: Attempt) {
    slots.assign(to: &attempt.control)
    attempts[attempt.name] = attempt
    changesAt = changesAt ?? AwakeClock.now() + Self.changePause
  }

  /// Looks at those whose mirrors are new.
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
      let folder = greeting.folder.isEmpty ? Self.defaultFolder : greeting.folder
      store = "\(folder)/\(greeting.store)/\(greeting.engine)"
      do throws(SystemError) {
        try ChangeFile.make(in: store)
      } catch {
        report(.note("what is new is seen late, as it cannot be told: \(error)"))
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
          // What is told from here on is what was asked for.
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
    case .ping: report(.pong)
    }
  }

  /// What is over of jobs of which the runner knows nothing goes: it died before it could say so.
  func tidy(but live: Set<JobNumber>) {
    for name in (try? File.names(in: "\(store)/jobs")) ?? [] {
      guard let (number, attempt) = JobFolder(path: name).attempt,
        let attempt = Int(exactly: attempt), !live.contains(JobNumber(number))
      else { continue }
      let left = Attempt(EngineAttempt(JobNumber(number), attempt), in: store, pace: 0)
      let record = left.record()?.record
      // Without its order nothing can begin: it is what somebody wrote into a folder that was being removed.
      if record?.ended != nil || record?.isRevoked == true || !File.exists(left.folder.order) {
        left.remove()
      }
    }
  }

  /// Who else has jobs in the folder is said; names keep them apart.
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
    // Nothing but that sentence depends on it.
    try? File.makeDirectories(folder)
    try? File.writeAtomically(Array(line.utf8), to: path)
  }

  /// Has the supervisor told; one that has not begun by now never will if it is to end.
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
      // Without its folder its supervisor hears nothing; where it has not begun there is nobody to be told.
      if attempt.control.isStopped || attempt.control.isKilled { endUntold(attempt) }
      return
    } catch {
      report(.note("job \(name.job) cannot be told: \(error)"))
    }
    // The supervisor looks by itself, too.
    if rings, attempt.hasStarted { ring(attempt) }
  }

  /// Looks at it; what it was told before it could hear is told again.
  func observe(_ attempt: Attempt) {
    let couldHear = attempt.hasStarted
    attempt.look(silence: silence, report)
    if !couldHear, attempt.hasStarted, attempt.control.serial > 0 { ring(attempt) }
  }

  /// It is over, as is told last.
  func over(_ attempt: Attempt, _ last: EngineReport) {
    if attempts.removeValue(forKey: attempt.name) != nil { slots.giveBack(attempt.control.slot) }
    report(last)
  }
}
