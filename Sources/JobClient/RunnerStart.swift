import JobCore
package import JobWire
package import LinuxSystem

/// Reaches the runner, and starts it when there is none.
///
/// Never waits: whoever must wait calls `attempt` again, so that keys and signals are heard meanwhile.
/// Twenty of these at the same time start one runner: `jobrund` locks the store, and whoever comes
/// too late leaves again with 0.
package struct RunnerStart {
  package let paths: Paths
  package let program: String
  /// On the awake clock; from then on it is given up.
  private let deadline: UInt64
  /// The runner that this process started, or what asks a manager to start one.
  private(set) var child: Int32?
  /// The user's manager, where there is one.
  private let manager: UserSystemd?
  /// How that may start it, without what it refused; when nothing is left, this process does.
  private var managed: [UserSystemd.Start]
  /// Size of its log before it was started: what comes after it are its last words.
  private var logBytes: UInt64 = 0
  /// When the next one may be started: one that found the store locked is not replaced at once, as
  /// whoever holds the lock is about to answer or to leave.
  private var nextStart: UInt64 = 0

  /// How long a runner may take until it answers: opening a large store on a slow disk.
  package static let timeout: UInt64 = 10_000_000_000
  /// Between two starts.
  private static let pause: UInt64 = 100_000_000
  /// How long a manager may take until a runner that it starts anew answers.
  private static let restartPause: UInt64 = 500_000_000
  /// How long a manager may take until it has started one; then it is done without, and of two runners
  /// one leaves.
  private static let managerTimeout: UInt64 = 3_000_000_000
  /// From then on a unit that runs, and whose runner does not answer here, is another store's.
  private var unitDeadline: UInt64 = .max

  package init(paths: Paths, program: String, until latest: UInt64? = nil) {
    self.paths = paths
    self.program = program
    deadline = min(AwakeClock.now() + Self.timeout, latest ?? .max)
    manager = UserSystemd(Environment(entries: CurrentProcess.environment()))
    managed = manager?.starts ?? []
  }

  /// The socket of the runner that holds this store's lock, or held it last; nil when none did.
  package static func socket(_ paths: Paths) -> String? {
    lockLines(paths)?.socket
  }

  /// The process that it is, or was.
  static func lastRunner(_ paths: Paths) -> Int32? {
    lockLines(paths).flatMap { Int32($0.process) }
  }

  private static func lockLines(_ paths: Paths) -> (socket: String, process: String)? {
    guard let bytes = try? File.readAll(paths.runnerLock, limit: 8192) else { return nil }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines.count > 1, lines[0].first == UInt8(ascii: "/") else { return nil }
    return (String(decoding: lines[0], as: UTF8.self), String(decoding: lines[1], as: UTF8.self))
  }

  /// Connects to a runner that is there; nil when there is none.
  package static func connect(_ paths: Paths) -> UnixConnection? {
    guard let socket = socket(paths),
      let connection = try? UnixConnection(connectingTo: socket),
      (try? connection.peer())?.user == CurrentProcess.userIdentifier
    else { return nil }
    return connection
  }

  /// Tries once; nil means: try again a little later.
  ///
  /// - Throws: `cannotCreate` with path and reason when it never will answer.
  package mutating func attempt() throws(WireError) -> UnixConnection? {
    if let connection = Self.connect(paths) { return connection }
    try reap()
    if !managed.isEmpty, let child, AwakeClock.now() >= nextStart + Self.managerTimeout {
      ChildProcess.discard(child)
      self.child = nil
      managed = []
    }
    if child == nil, AwakeClock.now() >= nextStart { try start() }
    guard AwakeClock.now() < deadline else { throw overdue() }
    return nil
  }

  /// Tries until it answers or never will.
  package mutating func connection() throws(WireError) -> UnixConnection {
    var pause: UInt64 = 500_000
    while true {
      if let connection = try attempt() { return connection }
      // A pause without any descriptor: nobody tells when the socket will be there.
      _ = try? Poll.wait([], until: AwakeClock.now() + pause)
      pause = min(pause * 2, 20_000_000)
    }
  }

  /// Forgets a runner that left again, and passes on why it could not serve.
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
    let words = lastWords() ?? noRoom() ?? "it ended without saying why; see \(paths.runnerLog)"
    throw WireError(code, "the runner could not start: \(words)")
  }

  /// A manager that starts no runner may be about to do so for somebody else; then it is done without.
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

  /// By the user's manager, else in a session of its own and at the root folder, so that no terminal and
  /// no folder is held; and with nothing that marks a job, as it outlives the one that may have
  /// started it.
  private mutating func spawn() throws(SystemError) {
    let log = try File.open(paths.runnerLog, [.write, .append, .create, .noFollow])
    let nowhere = try File.open("/dev/null", [.read, .write])
    logBytes = try log.size()
    let words = managed.first.flatMap { manager?.command($0, program, paths) } ?? [program]
    // What a manager has to say when it refuses is nothing that the runner's log should hold.
    let output = managed.isEmpty ? log.number : nowhere.number
    // Nor does it speak for a service that this process is part of (sd_notify(3)).
    let environment = JobVariables.without(CurrentProcess.environment())
      .filter { !$0.starts(with: "NOTIFY_SOCKET=".utf8) }
    var spawn = Spawn(words, environment: environment)
    spawn.directory = Array("/".utf8)
    spawn.descriptors = [
      .init(nowhere.number, as: 0), .init(output, as: 1), .init(output, as: 2),
    ]
    spawn.startsSession = true
    // It is the runner of every shell to come, and each job brings what its own shell has.
    spawn.resetsTerms = true
    do throws(SystemError) {
      child = try spawn.start()
    } catch {
      guard !managed.isEmpty else { throw error }
      managed = []
    }
  }

  private func overdue() -> WireError {
    let tail = lastWords().map { "; its log says: \($0)" } ?? ""
    return WireError(
      .cannotCreate,
      "the runner did not answer within \(Self.timeout / 1_000_000_000) s;"
        + " see \(paths.runnerLog)\(tail)")
  }

  /// A full disk takes the runner's last words, too.
  private func noRoom() -> String? {
    guard let space = try? FileSystemSpace(path: paths.stateDirectory),
      space.freeBytes < Self.minimumRoom
    else { return nil }
    return "the disk that holds \(paths.stateDirectory) is full; free some space"
  }

  /// A new store and its folders need more.
  private static let minimumRoom: UInt64 = 256 * 1024

  /// The last line that the started runner wrote.
  private func lastWords() -> String? {
    guard let log = try? File.open(paths.runnerLog),
      let bytes = try? log.read(at: logBytes, maximum: 16_384)
    else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").last.map {
      SafeText.shown(String($0))
    }
  }
}
