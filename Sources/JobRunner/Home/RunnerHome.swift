import JobCore
package import JobWire
import LinuxSystem

/// The runner's folders and its lock: made, checked, and held for as long as this value lives.
package final class RunnerHome {
  package let paths: Paths
  /// Folder of the socket and the pages, on tmpfs where there is one.
  package let runtime: String
  /// Why the folder of this session is not used, in one sentence.
  package let runtimeNote: String?
  /// One runner per store: held for life, given back by the kernel when the process dies.
  private let lock: FileDescriptor
  /// Nil if the user's limit of watches is reached: then the folders are checked from time to time.
  private let watch: DirectoryWatch?

  var socket: String { Paths.socket(in: runtime) }

  func page(_ number: JobNumber, attempt: Int) -> String {
    Paths.page(number, attempt: attempt, in: runtime)
  }

  func terminal(_ number: JobNumber, attempt: Int) -> String {
    Paths.terminal(number, attempt: attempt, in: runtime)
  }

  /// Makes the folders and takes the lock.
  ///
  /// - Throws: `alreadyRunning` when another runner has the lock, `notPermitted` when another user may write
  ///   there, otherwise `cannotCreate` with the path and the reason.
  package init(_ paths: Paths) throws(RunnerError) {
    self.paths = paths
    do throws(DirectoryError) {
      try Self.prepare(paths.stateDirectory)
      for folder in [
        paths.runRecords, paths.endRecords, paths.logs, paths.jobStates, paths.inputs,
      ] {
        try PrivateDirectory.prepare(folder)
      }
      (runtime, runtimeNote) = try Self.prepareRuntime(paths)
      try PrivateDirectory.prepare(Paths.pages(in: runtime))
      try PrivateDirectory.prepare(Paths.terminals(in: runtime))
    } catch {
      throw RunnerError(error.isOfOthers ? .notPermitted : .cannotCreate, error.description)
    }
    try Self.checkDatabase(paths.database)
    try Self.refuseNetwork(paths.stateDirectory)
    lock = try Self.takeLock(paths.runnerLock)
    watch = try? DirectoryWatch([paths.stateDirectory, runtime], file: paths.runnerLock)
    do throws(SystemError) {
      try writeLock()
    } catch {
      throw RunnerError(.cannotCreate, error.description)
    }
  }

  /// Makes a folder where no other user can replace it; checked before and after, because a parent may have
  /// been created in between.
  private static func prepare(_ path: String) throws(DirectoryError) {
    do throws(TrustedPath.Problem) {
      try TrustedPath.check(future: path)
    } catch {
      throw .untrusted(error)
    }
    try PrivateDirectory.prepare(path)
    do throws(TrustedPath.Problem) {
      try TrustedPath.check(path, as: .directory)
    } catch {
      throw .untrusted(error)
    }
  }

  /// The store's folder in the first candidate that is ours or can be made, and why an earlier one is not used:
  /// in a shared folder any user can create a file of its name.
  private static func prepareRuntime(
    _ paths: Paths
  ) throws(DirectoryError) -> (String, String?) {
    var note: String?
    for candidate in paths.runtimeCandidates {
      do throws(DirectoryError) {
        try prepare(candidate)
        return (try store(paths, in: candidate), note.map { "\($0); \(candidate) is used instead" })
      } catch {
        guard error.isOccupied else { continue }
        let isSession = candidate == paths.sessionRuntime.map { $0 + "/jobrun" }
        note =
          note ?? "\(isSession ? "XDG_RUNTIME_DIR" : candidate) is not used, as \(error.reason)"
      }
    }
    try prepare(paths.lastRuntime)
    return (
      try store(paths, in: paths.lastRuntime),
      note.map { "\($0); \(paths.lastRuntime) is used instead" }
    )
  }

  /// The store's folder in a folder that several users may share.
  private static func store(
    _ paths: Paths, in shared: String
  ) throws(DirectoryError) -> String {
    guard paths.sharesRuntime else { return shared }
    let state = (try? File.resolved(paths.stateDirectory)) ?? paths.stateDirectory
    let own = "\(shared)/\(Paths.storeName(state))"
    try PrivateDirectory.prepare(own)
    return own
  }

  /// The database may be a link to another disk; its target must still be ours.
  private static func checkDatabase(_ path: String) throws(RunnerError) {
    // If it is not a regular file, opening the store moves it aside.
    guard (try? File.status(path))?.kind == .file else { return }
    do throws(TrustedPath.Problem) {
      try TrustedPath.check(path, as: .file)
    } catch {
      throw RunnerError(.notPermitted, "the database is not used: \(error.sentence)")
    }
  }

  private static func refuseNetwork(_ path: String) throws(RunnerError) {
    guard let space = try? FileSystemSpace(path: path), space.isNetwork else { return }
    throw RunnerError(
      .cannotCreate,
      "\(path) lies on a network filesystem, where locks and SQLite cannot be trusted; "
        + "set stateDir in config.json to a local folder")
  }

  private static func takeLock(_ path: String) throws(RunnerError) -> FileDescriptor {
    do {
      while true {
        let file = try File.open(path, [.read, .write, .create, .noFollow])
        guard try file.tryLock() else {
          throw RunnerError(.alreadyRunning, "another runner holds \(path)")
        }
        // The file may have been removed in between: then others lock another one.
        if try FileMark(file.status()) == FileMark(path: path) { return file }
      }
    } catch let problem as RunnerError {
      throw problem
    } catch {
      throw RunnerError(.cannotCreate, "\(error)")
    }
  }

  /// For an event loop: readable when the folders changed; nil = no watch.
  var watchNumber: Int32? { watch?.number }

  /// Reads the events of the folders; whether a folder is gone.
  func isAnyFolderGone() -> Bool {
    watch?.isAnyGone() ?? [paths.stateDirectory, runtime].contains { !File.isDirectory($0) }
  }

  /// Whether a file was missing, so that the home must be checked.
  var isDoubted = false

  /// Whether the lock is still the file at its name; otherwise another runner may have one, too.
  var holdsLock: Bool { (try? FileMark(lock.status())) == FileMark(path: paths.runnerLock) }

  /// Whether clients can connect.
  private var listens = false

  /// The lock's public content: the path of the socket, the runner's pid, and whether it opens its store.
  private var lockText: [UInt8] {
    let state = listens ? "" : "\(Paths.openingMark)\n"
    return Array("\(socket)\n\(CurrentProcess.identifier)\n\(state)".utf8)
  }

  /// Writes the lock's content, unless it is unchanged.
  func writeLock() throws(SystemError) {
    let text = lockText
    guard try lock.read(at: 0, maximum: text.count + 1) != text else { return }
    try lock.write(text, at: 0)
    try lock.resize(to: UInt64(text.count))
  }

  /// Half of all numbers: a larger one was not given by a store, but comes from a file name made by someone
  /// else.
  private static let largestNumber = JobNumber.largest.value / 2

  /// A number without leftover files: a new store in place of a lost one must not give a job the log, the run
  /// record or the folder of another.
  func firstUnusedNumber() -> JobNumber {
    let folders = [paths.runRecords, paths.logs, paths.jobStates, paths.inputs]
    let names = folders.flatMap { (try? File.names(in: $0)) ?? [] }
    let used =
      names.compactMap { UInt64($0.prefix { $0 != "." }) }
      .filter { $0 < Self.largestNumber }.max() ?? 0
    return JobNumber(used + 1)
  }

  /// Binds the socket; the socket of a dead runner is removed first, which the lock makes safe.
  func listen() throws(RunnerError) -> UnixListener {
    do throws(SystemError) {
      try File.remove(socket)
      let listener = try UnixListener(path: socket)
      listens = true
      try writeLock()
      return listener
    } catch {
      throw RunnerError(.cannotCreate, error.description)
    }
  }
}
