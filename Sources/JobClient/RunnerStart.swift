import JobCore
package import JobWire
package import LinuxSystem

/// Connects to the runner, and starts it when there is none.
///
/// It never waits: callers repeat `attempt`, so that keys and signals are handled meanwhile. Twenty
/// concurrent starts result in one runner: `jobrund` locks the store, and a later one exits with 0.
package struct RunnerStart {
  package let paths: Paths
  package let program: String
  /// Gets a note, once, when a runner takes long to open its store.
  package var onNote: (String) -> Void = { _ in }
  /// On the awake clock, as are the other times.
  private let begun = AwakeClock.now()
  /// When the caller gives up, whatever a runner does.
  private let latest: UInt64
  private var isNoted = false
  private let timeouts: Timeouts

  /// In nanoseconds since the first attempt.
  package struct Timeouts: Sendable {
    /// How long a runner may take to answer.
    package var answer: UInt64 = 30_000_000_000
    /// How long a runner that holds its store's lock may take: a million waiting jobs on a slow disk.
    package var opening: UInt64 = 600_000_000_000
    /// How long it may take without a note.
    package var note: UInt64 = 3_000_000_000

    package init() {}
  }
  /// The runner that this process started, or the command that asks a manager to start one.
  private(set) var child: Int32?
  /// The user's manager, where there is one.
  private let manager: UserSystemd?
  /// The manager's ways to start it, without those that failed; when none is left, this process starts it.
  private var managed: [UserSystemd.Start]
  /// The size of the log before the start: what follows are the last words of the runner.
  private var logBytes: UInt64 = 0
  /// The earliest time of the next start: after a runner that found the store locked, the holder of the
  /// lock is about to answer or to exit.
  private var nextStart: UInt64 = 0

  /// The interval between two starts.
  private static let pause: UInt64 = 100_000_000
  /// How long a manager may take to restart a runner.
  private static let restartPause: UInt64 = 500_000_000
  /// How long a manager may take to start a runner; then this process starts one, and if there are two, one
  /// exits.
  private static let managerTimeout: UInt64 = 3_000_000_000
  /// From then on a running unit whose runner does not answer here belongs to another store.
  private var unitDeadline: UInt64 = .max

  package init(
    paths: Paths, program: String, until latest: UInt64? = nil, timeouts: Timeouts = Timeouts()
  ) {
    self.timeouts = timeouts
    self.paths = paths
    self.program = program
    self.latest = latest ?? .max
    manager = UserSystemd(Environment(entries: CurrentProcess.environment()))
    managed = manager?.starts ?? []
  }

  /// The socket of the runner that holds this store's lock, or held it last; nil when there was none.
  package static func socket(_ paths: Paths) -> String? {
    lockLines(paths)?.socket
  }

  /// The pid of that runner.
  static func lastRunner(_ paths: Paths) -> Int32? {
    lockLines(paths).flatMap { Int32($0.process) }
  }

  /// The pid of a runner that holds this store's lock and does not answer yet, as it opens the store.
  package static func opening(_ paths: Paths) -> Int32? {
    guard let lock = try? File.open(paths.runnerLock, [.read, .noFollow]),
      (try? lock.tryLock(exclusive: false)) == false, let lines = lockLines(paths), lines.isOpening
    else { return nil }
    return Int32(lines.process)
  }

  /// The sentence about such a runner.
  package static func opens(_ process: Int32) -> String {
    "the runner (process \(process)) is opening its store"
  }

  private static func lockLines(
    _ paths: Paths
  ) -> (socket: String, process: String, isOpening: Bool)? {
    guard let bytes = try? File.readAll(paths.runnerLock, limit: 8192) else { return nil }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines.count > 1, lines[0].first == UInt8(ascii: "/") else { return nil }
    return (
      String(decoding: lines[0], as: UTF8.self), String(decoding: lines[1], as: UTF8.self),
      lines.count > 2 && lines[2].elementsEqual(Paths.openingMark.utf8)
    )
  }

  /// Connects to a running runner; nil when there is none.
  package static func connect(_ paths: Paths) -> UnixConnection? {
    guard let socket = socket(paths),
      let connection = try? UnixConnection(connectingTo: socket),
      (try? connection.peer())?.user == CurrentProcess.userIdentifier
    else { return nil }
    return connection
  }

  /// Tries once; nil means: try again a little later.
  ///
  /// - Throws: `cannotCreate` with path and reason when trying again is useless.
  package mutating func attempt() throws(WireError) -> UnixConnection? {
    if let connection = Self.connect(paths) { return connection }
    try reap()
    if !managed.isEmpty, let child, AwakeClock.now() >= nextStart + Self.managerTimeout {
      ChildProcess.discard(child)
      self.child = nil
      managed = []
    }
    if child == nil, AwakeClock.now() >= nextStart { try start() }
    try checkTime()
    return nil
  }

  /// Goes on waiting for a runner that is opening its store.
  private mutating func checkTime() throws(WireError) {
    let now = AwakeClock.now()
    let elapsed = now - begun
    guard now < latest, elapsed < timeouts.opening else { throw overdue(after: elapsed) }
    if elapsed < (isNoted ? timeouts.answer : timeouts.note) { return }
    if let process = Self.opening(paths) {
      if !isNoted { onNote("\(Self.opens(process)); waiting for it") }
      isNoted = true
    } else if elapsed >= timeouts.answer, Self.connect(paths) == nil {
      throw overdue(after: elapsed)
    }
  }

  /// Tries until the runner answers or cannot.
  package mutating func connection() throws(WireError) -> UnixConnection {
    var pause: UInt64 = 500_000
    while true {
      if let connection = try attempt() { return connection }
      // A plain pause: there is no event for the appearance of the socket.
      _ = try? Poll.wait([], until: AwakeClock.now() + pause)
      pause = min(pause * 2, 20_000_000)
    }
  }

  /// Forgets a runner that has exited, and reports why it could not serve.
  private mutating func reap() throws(WireError) {
    guard let child, case .ended(let end)? = try? ChildProcess.reap(child) else { return }
    self.child = nil
    guard managed.isEmpty else { return consider(end.status) }
    // Killed from outside while starting; the next one may well work.
    guard end.status != .exited(0), end.status != .signalled(Signal.kill) else { return }
    let code: ErrorCode =
      switch end.status {
      case .exited(ExitCode.internalFault): .internal
      case .exited(ExitCode.notPermitted): .notPermitted
      default: .cannotCreate
      }
    let words = lastWords() ?? noRoom() ?? "it exited without a message; see \(paths.runnerLog)"
    throw WireError(code, "the runner could not start: \(words)")
  }

  /// Gives up on a manager that failed, or whose unit serves another store.
  private mutating func consider(_ status: ChildEnd.Status) {
    nextStart = AwakeClock.now() + Self.restartPause
    let isForeign = managed.first == .enabled && AwakeClock.now() >= unitDeadline
    if status != .exited(0) || isForeign { managed.removeFirst() }
  }

  private mutating func start() throws(WireError) {
    do throws(DirectoryError) {
      try PrivateDirectory.prepare(paths.stateDirectory)
    } catch {
      throw WireError(.cannotCreate, "the runner could not start: \(error)")
    }
    nextStart = AwakeClock.now() + Self.pause
    unitDeadline = min(unitDeadline, nextStart + Self.managerTimeout)
    try WireError.from(.cannotCreate) { () throws(SystemError) in try spawn() }
  }

  /// By the user's manager, else in a session of its own in the root folder, so that it holds no terminal
  /// and no folder; and without the variables that mark a job, as it outlives the one that may have started
  /// it.
  private mutating func spawn() throws(SystemError) {
    let log = try File.open(paths.runnerLog, [.write, .append, .create, .noFollow])
    let nowhere = try File.open("/dev/null", [.read, .write])
    logBytes = try log.size()
    let words = managed.first.flatMap { manager?.command($0, program, paths) } ?? [program]
    // The messages of a manager that refuses do not belong into the runner's log.
    let output = managed.isEmpty ? log.number : nowhere.number
    // The runner must not notify the service manager of this process (sd_notify(3)).
    let environment = JobVariables.without(CurrentProcess.environment())
      .filter { !$0.starts(with: "NOTIFY_SOCKET=".utf8) }
    var spawn = Spawn(words, environment: environment)
    spawn.directory = Array("/".utf8)
    spawn.descriptors = [
      .init(nowhere.number, as: 0), .init(output, as: 1), .init(output, as: 2),
    ]
    spawn.startsSession = true
    // The runner serves every later shell, and each job brings its own shell's terms.
    spawn.resetsTerms = true
    do throws(SystemError) {
      child = try spawn.start()
    } catch {
      guard !managed.isEmpty else { throw error }
      managed = []
    }
  }

  private func overdue(after nanoseconds: UInt64) -> WireError {
    let tail = lastWords().map { "; its log says: \($0)" } ?? ""
    return WireError(
      .cannotCreate,
      "the runner did not answer within \(nanoseconds / 1_000_000_000) s;"
        + " see \(paths.runnerLog)\(tail)")
  }

  /// A full disk may also have swallowed the runner's last words.
  private func noRoom() -> String? {
    guard let space = try? FileSystemSpace(path: paths.stateDirectory),
      space.freeBytes < Self.minimumRoom
    else { return nil }
    return "the disk that holds \(paths.stateDirectory) is full; free some space"
  }

  /// The minimum for a new store and its folders.
  private static let minimumRoom: UInt64 = 256 * 1024

  /// The last line that the started runner logged.
  private func lastWords() -> String? { logged().last }

  /// What the runner that this process started has to tell: that the history is lost, say.
  func notes() -> [String] {
    guard child != nil, managed.isEmpty else { return [] }
    return logged().compactMap { line in
      let parts = line.split(separator: " ", maxSplits: 3)
      return parts.count == 4 && parts[2] == Paths.noteMark ? String(parts[3]) : nil
    }
  }

  /// The lines that the started runner logged, of the first 16 KiB.
  private func logged() -> [String] {
    guard let log = try? File.open(paths.runnerLog),
      let bytes = try? log.read(at: logBytes, maximum: 16_384)
    else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map {
      SafeText.shown(String($0))
    }
  }
}
