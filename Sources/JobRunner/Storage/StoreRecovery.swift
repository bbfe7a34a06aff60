import JobCore
import JobPage
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

/// Keeps the store usable for as long as this runner lives: what turns make durable goes through its
/// journal, and a store that is damaged or loses its files is written anew from what is known.
final class StoreRecovery {
  /// What of other parts belongs into a store that is written anew.
  struct Sources {
    /// Commands that follow ends and have not ended themselves.
    var endCommands: () -> [EndCommandRow] = { [] }
    /// What a supervisor was told; nil when that was not kept.
    var launchOrder: (JobNumber, _ attempt: Int) -> LaunchOrder? = { _, _ in nil }
    /// What engines call the store; nil when none was told yet.
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
  /// When files that could not be put back are looked at again; nil = all are where they belong.
  private(set) var nextDue: Instant?

  /// After damage that was mended; a disk that damages everything must not be filled with what it did.
  private static let mendingPause = Interval.minutes(1)
  /// In seconds: each failure doubles what passes until the next try, up to this.
  private static let longestMendingDelay: UInt64 = 30

  /// `plan`: what follows ends.
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

  /// What an earlier runner left in the store, once: it may be much.
  func takeRestoredState() -> RestoredState {
    defer { restored = RestoredState() }
    return restored
  }

  /// Leaves nothing in the log of what was stored before.
  func emptyLog() throws(StoreError) {
    try store.emptyLog()
    OpenedStore.prepare(path)
  }

  /// From now on damage that is met is mended: what runs is known.
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

  /// Gives the store its files back when they are no longer at their names: what is open is written into
  /// new ones.
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

  /// What somebody has removed or replaced since it was opened has no mark, and nothing tells of it any
  /// more.
  private func markFiles() {
    marks = currentMarks()
    guard let open = FileMark.ofOpenFiles() else { return }
    marks = marks.map { mark in mark.flatMap { open.contains($0) ? $0 : nil } }
    if marks.contains(nil) { nextDue = .now() }
  }

  private func currentMarks() -> [FileMark?] {
    [path, Store.writeAheadLog(of: path)].map { FileMark(path: $0) }
  }

  /// Puts the successor in the place of the store, or goes on with it after a failure; where the files of
  /// the old one are, unless they are not worth keeping.
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

  /// Goes on with an adoption that failed.
  ///
  /// What the successor says of jobs was true when it was written: a turn may have been taken back since.
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
