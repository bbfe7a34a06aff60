import JobCore
package import JobWire
import LinuxSystem

/// The runner's folders and its lock: made, checked, and held for as long as this value lives.
package final class RunnerHome {
  package let places: Places
  /// Folder of the socket and the pages, on tmpfs where there is one.
  package let runtime: String
  /// One runner per store: held for life, given back by the kernel when the process dies.
  private let lock: FileDescriptor
  let watch: DirectoryWatch

  var socket: String { Places.socket(in: runtime) }

  func page(_ number: JobNumber, attempt: Int) -> String {
    Places.page(number, attempt: attempt, in: runtime)
  }

  /// Makes the folders and takes the lock.
  ///
  /// - Throws: `alreadyRunning` when another runner has the lock, `cannotCreate` with the path and
  ///   the reason otherwise.
  package init(_ places: Places) throws(RunnerProblem) {
    self.places = places
    do throws(DirectoryProblem) {
      try PrivateDirectory.prepare(places.stateDirectory)
      for folder in [places.runRecords, places.endRecords, places.logs, places.jobStates] {
        try PrivateDirectory.prepare(folder)
      }
      runtime = try Self.prepareRuntime(places)
      try PrivateDirectory.prepare(Places.pages(in: runtime))
    } catch {
      throw RunnerProblem(.cannotCreate, error.description)
    }
    try Self.refuseNetwork(places.stateDirectory)
    lock = try Self.takeLock(places.runnerLock)
    do throws(SystemError) {
      watch = try DirectoryWatch([places.stateDirectory, runtime])
      try lock.resize(to: 0)
      let text = "\(Places.socket(in: runtime))\n\(CurrentProcess.identifier)\n"
      try lock.write(Array(text.utf8), at: 0)
    } catch {
      throw RunnerProblem(.cannotCreate, error.description)
    }
  }

  /// The folder of this store in the first candidate that is ours or can be made.
  private static func prepareRuntime(_ places: Places) throws(DirectoryProblem) -> String {
    let shared = try prepareFirst(places.runtimeCandidates)
    guard places.sharesRuntime else { return shared }
    let state = (try? File.resolved(places.stateDirectory)) ?? places.stateDirectory
    let own = "\(shared)/\(Places.storeName(state))"
    try PrivateDirectory.prepare(own)
    return own
  }

  private static func prepareFirst(_ candidates: [String]) throws(DirectoryProblem) -> String {
    var first: DirectoryProblem?
    for candidate in candidates {
      do throws(DirectoryProblem) {
        try PrivateDirectory.prepare(candidate)
        return candidate
      } catch {
        // Somebody else's folder at our name is a trap, not a reason to look further.
        guard case .system = error else { throw error }
        first = first ?? error
      }
    }
    throw first
      ?? .system(SystemError("make a folder for the socket", SystemError.notFound))
  }

  private static func refuseNetwork(_ path: String) throws(RunnerProblem) {
    guard let space = try? FileSystemSpace(path: path), space.isNetwork else { return }
    throw RunnerProblem(
      .cannotCreate,
      "\(path) lies on a network filesystem, where locks and SQLite cannot be trusted; "
        + "set stateDir in config.json to a local folder")
  }

  private static func takeLock(_ path: String) throws(RunnerProblem) -> FileDescriptor {
    do {
      let file = try File.open(path, [.read, .write, .create, .noFollow])
      guard try file.tryLock() else {
        throw RunnerProblem(.alreadyRunning, "another runner holds \(path)")
      }
      return file
    } catch let problem as RunnerProblem {
      throw problem
    } catch {
      throw RunnerProblem(.cannotCreate, "\(error)")
    }
  }

  /// A number of which no file is left: a new store in place of a lost one must not hand a job the
  /// log, the run record or the folder of another.
  func firstUnusedNumber() -> JobNumber {
    let folders = [places.runRecords, places.logs, places.jobStates]
    let names = folders.flatMap { (try? File.names(in: $0)) ?? [] }
    let used = names.compactMap { UInt64($0.prefix { $0 != "." }) }.max() ?? 0
    return JobNumber(min(used, UInt64(Int64.max) - 1) + 1)
  }

  /// Binds the socket; one that a dead runner left is removed first, which the lock makes safe.
  func listen() throws(RunnerProblem) -> UnixListener {
    do throws(SystemError) {
      try File.remove(socket)
      return try UnixListener(path: socket)
    } catch {
      throw RunnerProblem(.cannotCreate, error.description)
    }
  }
}
