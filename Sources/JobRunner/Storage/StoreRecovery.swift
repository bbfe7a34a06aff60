import JobCore
import JobPage
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

/// Keeps the store usable during the runner's life: turns are stored through its journal, and a store that is
/// damaged or loses its files is written anew from memory.
final class StoreRecovery {
  /// The data of other parts that a new store needs.
  struct Sources {
    /// Unfinished on-end commands.
    var endCommands: () -> [EndCommandRow] = { [] }
    /// The launch order of an attempt; nil if it was not kept.
    var launchOrder: (JobNumber, _ attempt: Int) -> LaunchOrder? = { _, _ in nil }
    /// The store's name as sent to engines; nil if none was.
    var nameOfStore: () -> String? = { nil }
  }

  let store: Store
  let journal: StoreJournal
  var sources = Sources()
  let path: String
  let runtime: JobRuntime
  let notes: RunnerNotes
  private var restored: RestoredState
  /// Which files the store has open: the database and its log; nil = that is not at its name.
  private var marks: [FileMark?] = []
  /// When a store that is damaged or gone may be replaced again.
  private var mendAgainAt = Instant(nanoseconds: 0)
  /// How often that failed in a row.
  private var mendFailures = 0
  /// The store is closed, and its successor is not in its place yet.
  private(set) var isStoreLost = false
  /// When to check missing files again; nil = all are in order.
  private(set) var nextDue: Instant?

  /// The pause after a repair; a disk that damages every file must not be filled with broken copies.
  private static let mendingPause = Interval.minutes(1)
  /// In seconds: each failure doubles the delay until the next try, up to this.
  private static let longestMendingDelay: UInt64 = 30

  /// `plan`: the commands that follow ends.
  init(
    _ opened: consuming OpenedStore, mark: NumberMark, plan: EndPlan, runtime: JobRuntime,
    notes: RunnerNotes
  ) {
    store = opened.store
    restored = opened.restored
    journal = StoreJournal(opened.store, plan, opened.restored, mark)
    mark.begin()
    path = opened.path
    self.runtime = runtime
    self.notes = notes
    markFiles()
  }

  /// The state that an earlier runner left in the store; returned once, because it may be large.
  func takeRestoredState() -> RestoredState {
    defer { restored = RestoredState() }
    return restored
  }

  /// Removes all earlier data from the log.
  func emptyLog() throws(StoreError) {
    try store.emptyLog()
    OpenedStore.prepare(path)
  }

  /// Enables repairs of damage: the running jobs are restored.
  func beginMending() {
    store.mend = { [unowned self] in mend(because: $0) }
  }

  /// Moves the damaged store aside and puts one in its place with all that is live; whether it did.
  private func mend(because error: StoreError) -> Bool {
    guard .now() >= mendAgainAt else { return false }
    do {
      try writeSuccessor()
      let aside = try adoptSuccessor()
      mendAgainAt = .now() + Self.mendingPause
      notes.add(
        "\(path) could not be used: \(error.message); it was moved aside to \(aside), with the"
          + " history; what runs and waits was taken over")
      return true
    } catch {
      mendingFailed("the damaged store \(path) cannot be replaced", error)
      return false
    }
  }

  /// Restores the store's files when they are no longer at their names: writes the open content into new ones.
  func restoreFiles() {
    nextDue = nil
    guard isStoreLost || marks.contains(nil) || marks != currentMarks() else { return }
    guard .now() >= mendAgainAt else {
      nextDue = mendAgainAt
      return
    }
    do {
      if isStoreLost {
        try recover()
        notes.add("the store \(path) was put in its place after all")
      } else {
        try writeCopy()
        let isForeign = FileMark(path: path) != marks.first
        try adoptSuccessor(keepingOld: isForeign)
        notes.add("files of the store \(path) were removed or replaced; they were written anew")
      }
    } catch {
      mendingFailed("the store \(path) cannot be written anew", error)
    }
  }

  private func mendingFailed(_ what: String, _ error: any Error) {
    let seconds = min(Self.longestMendingDelay, UInt64(1) << UInt64(min(mendFailures, 8)))
    mendFailures += 1
    mendAgainAt = .now() + .seconds(seconds)
    // A damaged store fails again on the next read; a closed one has to be reopened.
    nextDue = mendAgainAt
    let sentence = (error as? StoreError)?.message ?? "\(error)"
    notes.add("\(what), which is tried again in \(seconds) s: \(sentence)")
  }

  /// A file that was removed or replaced since it was opened has no mark, and no later event would report it.
  private func markFiles() {
    marks = currentMarks()
    guard let open = FileMark.ofOpenFiles() else { return }
    marks = marks.map { mark in mark.flatMap { open.contains($0) ? $0 : nil } }
    if marks.contains(nil) { nextDue = .now() }
  }

  private func currentMarks() -> [FileMark?] {
    [path, Store.writeAheadLog(of: path)].map { FileMark(path: $0) }
  }

  /// Installs the successor of the store, or resumes that after a failure; returns the path of the old files,
  /// unless they are not worth keeping.
  @discardableResult
  private func adoptSuccessor(keepingOld: Bool = true) throws -> String {
    isStoreLost = true
    store.close()
    var aside = ""
    if File.exists(OpenedStore.successor(of: path)) {
      // The database goes first: without one at its name the next runner, too, takes the successor. And no
      // log may stay that is not the successor's.
      if keepingOld {
        aside = try OpenedStore.moveAside(path)
      } else {
        for file in Store.files(of: path) { try File.remove(file) }
      }
      try File.rename(OpenedStore.successor(of: path), to: path)
    }
    try File.synchroniseDirectory(of: path)
    try store.reopen()
    (isStoreLost, mendFailures) = (false, 0)
    OpenedStore.prepare(path)
    markFiles()
    return aside
  }

  /// Resumes an adoption that failed.
  ///
  /// The successor's rows were true when it was written: a turn may have been rolled back since.
  private func recover() throws {
    do {
      if !File.exists(OpenedStore.successor(of: path)), !File.exists(path) {
        try writeSuccessor()
      }
      try adoptSuccessor()
    } catch let error as StoreError where error.needsFileMovedAside {
      try writeSuccessor()
      try adoptSuccessor()
    }
    try store.transaction(.full) { () throws(StoreError) in
      for liveJob in runtime.jobs.values where !runtime.hasUnstoredEnd(liveJob.number) {
        try store.update(liveJob.row)
      }
    }
  }
}
