import JobCore
import JobStore
import JobWire
import LinuxSystem

/// The state that an earlier runner left in the store.
struct RestoredState {
  /// Jobs that have not ended, ascending.
  var jobs: [JobRecord] = []
  /// Hosted jobs that have ended and whose processes still hold something.
  var lingering: [JobRecord] = []
  /// The boot that their instants belong to; nil in a new store.
  var boot: String?
  /// The mount of the files beside the store; nil = unknown.
  var mount: UInt64?
  /// Whether all starts were paused.
  var isHeld = false
  var pausedGroups: [GroupName] = []
  /// A number that no job in the store ever had.
  var nextNumber = JobNumber(1)
  /// The newest event; 0 = none.
  var sequence: UInt64 = 0
}

/// The store, opened and read; a file of another kind or a damaged one was moved aside.
///
/// Not copied: the rows of a hundred thousand jobs must be freed once they are restored.
struct OpenedStore: ~Copyable {
  /// The path of its database with links resolved, because the log lies beside the real file.
  let path: String
  let store: Store
  let restored: RestoredState
  /// Notes for the user about it.
  var notes: [String] = []

  /// `mark`: which numbers it may have given.
  init(path named: String, _ mark: NumberMark) throws(RunnerError) {
    let path = Self.linkTarget(named) ?? named
    var notes: [String]
    do throws(SystemError) {
      notes = try Self.tidy(path)
    } catch {
      throw RunnerError(.cannotCreate, error.description)
    }
    let hasLostLog = mark.isInUse && !File.exists(Store.writeAheadLog(of: path))
    var isLost = hasLostLog || !File.exists(path)
    var opened: (store: Store, restored: RestoredState)
    do throws(StoreError) {
      opened = try Self.openPatiently(path)
    } catch {
      guard error.needsFileMovedAside else { throw Self.problem(path, error) }
      isLost = true
      let waiting = WaitingJobs(inDamaged: path, upTo: mark.covered)
      notes.append(try Self.moveAside(path, because: error, waiting))
      do throws(StoreError) {
        opened = try Self.open(path, taking: waiting)
      } catch {
        throw Self.problem(path, error)
      }
    }
    if isLost, mark.covered > 0 { try Self.skip(mark, &opened, path) }
    if hasLostLog {
      let note =
        "\(Store.writeAheadLog(of: path)) is gone, and with it what was stored last: jobs that waited"
        + " may be missing; the next one is job \(opened.restored.nextNumber)"
      RunnerLog.tell(note)
      notes.append(note)
    }
    (self.path, self.notes) = (path, notes)
    (store, restored) = opened
  }

  /// Skips all numbers that a lost store may have used, so that none is reused.
  private static func skip(
    _ mark: NumberMark, _ opened: inout (store: Store, restored: RestoredState), _ path: String
  ) throws(RunnerError) {
    do throws(StoreError) {
      try opened.store.skipNumbers(upTo: JobNumber(mark.covered))
      opened.restored.nextNumber = try opened.store.nextNumber()
    } catch {
      throw problem(path, error)
    }
  }

  /// The target of a link; nil without a link, or with a dangling one.
  private static func linkTarget(_ path: String) -> String? {
    guard let status = (try? File.status(path, followingLinks: false)) ?? nil,
      status.kind == .symbolicLink
    else { return nil }
    return try? File.resolved(path)
  }

  /// The path of the complete store that should replace the one at `path`.
  static func successor(of path: String) -> String { path + ".new" }

  /// Where it is written.
  static func unfinished(_ path: String) -> String { path + ".making" }

  /// Installs a store that was complete before an earlier runner died, and moves away other kinds of files;
  /// returns notes.
  private static func tidy(_ path: String) throws(SystemError) -> [String] {
    let successor = successor(of: path)
    if !File.exists(path), File.exists(successor) {
      // The old store's log does not belong to its successor.
      _ = try moveAside(path)
      try File.rename(successor, to: path)
    }
    let others = [unfinished(path), RescuedStore.copy(of: path)].flatMap(Store.files)
    for file in [successor] + others { try? File.remove(file) }
    var notes: [String] = []
    for file in Store.files(of: path) {
      guard let status = try File.status(file), status.kind != .file else { continue }
      let aside = Store.brokenName(of: file, timestamp: timestamp())
      try File.rename(file, to: aside)
      notes.append("\(file) was not a file; it was moved aside to \(aside)")
    }
    for note in notes { RunnerLog.tell(note) }
    return notes
  }

  /// A runner that leaves has the store for a moment more.
  private static func openPatiently(_ path: String) throws(StoreError) -> (Store, RestoredState) {
    let deadline = AwakeClock.now() + timeout
    while true {
      do throws(StoreError) {
        return try open(path)
      } catch {
        guard case .busy = error, AwakeClock.now() < deadline else { throw error }
        _ = try? Poll.wait([], until: AwakeClock.now() + 10_000_000)
      }
    }
  }

  /// In nanoseconds.
  private static let timeout: UInt64 = 10_000_000_000

  /// Damage in the middle of the file only shows when those pages are read.
  private static func open(
    _ path: String, taking waiting: WaitingJobs? = nil
  ) throws(StoreError) -> (Store, RestoredState) {
    let store = try Store(path: path)
    try waiting?.insert(into: store)
    prepare(path)
    let restored = RestoredState(
      jobs: try store.liveJobs(), lingering: try store.lingeringJobs(), boot: try store.bootID(),
      mount: try store.mountNumber(),
      isHeld: try store.isHeld(), pausedGroups: try store.pausedGroups(),
      nextNumber: try store.nextNumber(), sequence: try store.lastSequence())
    return (store, restored)
  }

  /// Prepares the files of a store that was just opened.
  static func prepare(_ path: String) {
    WALPreallocation.reserve(Store.writeAheadLog(of: path), bytes: UInt64(Store.logBytes))
    // The index of the log is in memory: a file of that name is an earlier version's.
    try? File.remove(path + "-shm")
  }

  private static func timestamp() -> String {
    WallTime(milliseconds: WallClock.now()).text.filter { $0 != ":" }
  }

  /// Gives the files of the store other names; that of the database.
  static func moveAside(_ path: String) throws(SystemError) -> String {
    let timestamp = timestamp()
    for file in Store.files(of: path) where File.exists(file) {
      try File.rename(file, to: Store.brokenName(of: file, timestamp: timestamp))
    }
    return Store.brokenName(of: path, timestamp: timestamp)
  }

  private static func moveAside(
    _ path: String, because error: StoreError, _ waiting: WaitingJobs
  ) throws(RunnerError) -> String {
    do throws(SystemError) {
      let aside = try moveAside(path)
      let note =
        "\(path) could not be used: \(error.message); it was moved aside to \(aside),"
        + " with the history; \(waiting.sentence)"
      RunnerLog.tell(note)
      return note
    } catch {
      throw RunnerError(.cannotCreate, error.description)
    }
  }

  private static func problem(_ path: String, _ error: StoreError) -> RunnerError {
    RunnerError(.cannotCreate, "the store \(path) cannot be opened: \(error.message)")
  }
}
