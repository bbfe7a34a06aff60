import JobCore
import JobPage
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

// A store that is lost while this runner knows better: what runs and waits is written into a new one.
//
// The new one is whole before the old one is touched, and from then on it is the truth: nothing is stored until
// it is in its place, by this runner or by the next one.
extension Runner {
  /// After damage that was mended; a disk that damages everything must not be filled with what it did.
  private static let mendingPause = Span.minutes(1)
  /// In seconds: each failure doubles what passes until the next try, up to this.
  private static let longestMendingDelay: UInt64 = 30

  /// Moves the damaged store aside and puts one in its place with all that is live; whether it did.
  func mendStore(because error: StoreError) -> Bool {
    guard clock() >= mendAgainAt else { return false }
    let path = home.places.database
    do {
      try writeSuccessor(of: path)
      let aside = try adoptSuccessor(of: path)
      mendAgainAt = clock() + Self.mendingPause
      note(
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
  func restoreStoreFiles() {
    guard isStoreLost || storeMarks != Self.marks(of: home.places.database) else { return }
    guard clock() >= mendAgainAt else {
      homeAgainAt = min(homeAgainAt ?? mendAgainAt, mendAgainAt)
      return
    }
    let path = home.places.database
    do {
      if isStoreLost {
        try recoverStore(at: path)
        note("the store \(path) was put in its place after all")
      } else {
        try copyStore(at: path)
        let isForeign = FileMark(path: path) != storeMarks.first
        try adoptSuccessor(of: path, keepingOld: isForeign)
        note("files of the store \(path) were removed or replaced; they were written anew")
      }
    } catch {
      mendingFailed("the store \(path) cannot be written anew", error)
    }
  }

  private func mendingFailed(_ what: String, _ error: any Error) {
    let seconds = min(Self.longestMendingDelay, UInt64(1) << UInt64(min(mendFailures, 8)))
    mendFailures += 1
    mendAgainAt = clock() + .seconds(seconds)
    // Damage is met again by whoever reads; a store that is closed waits for nobody.
    homeAgainAt = mendAgainAt
    note("\(what), which is tried again in \(seconds) s: \(Self.sentence(for: error))")
  }

  /// Which files the store has open.
  func markStore() { storeMarks = Self.marks(of: home.places.database) }

  private static func marks(of path: String) -> [FileMark?] {
    [path, Store.writeAheadLog(of: path)].map { FileMark(path: $0) }
  }

  /// Puts the successor in the place of the store, or goes on with it after a failure; where the files of
  /// the old one are, unless they are not worth keeping.
  @discardableResult
  private func adoptSuccessor(of path: String, keepingOld: Bool = true) throws -> String {
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
    markStore()
    return aside
  }

  /// Goes on with an adoption that failed.
  ///
  /// What the successor says of jobs was true when it was written: a
  /// turn may have been taken back since.
  private func recoverStore(at path: String) throws {
    do {
      if !File.exists(OpenedStore.successor(of: path)), !File.exists(path) {
        try writeSuccessor(of: path)
      }
      try adoptSuccessor(of: path)
    } catch let error as StoreError where error.needsFileMovedAside {
      try writeSuccessor(of: path)
      try adoptSuccessor(of: path)
    }
    try store.transaction(.full) { () throws(StoreError) in
      for card in cards.values where !runtime.hasUnstoredEnd(card.number) {
        try store.update(card.row)
      }
    }
  }

  /// Writes a store beside the other with all that is in it.
  private func copyStore(at path: String) throws {
    do throws(StoreError) {
      for file in Store.files(of: OpenedStore.unfinished(path)) { try? File.remove(file) }
      try store.copy(to: OpenedStore.unfinished(path))
    } catch {
      note("what was in the store cannot be read: \(error.message)")
      return try writeSuccessor(of: path)
    }
    try finishSuccessor(of: path)
  }

  /// Writes a store beside the other with all that this runner knows.
  private func writeSuccessor(of path: String) throws {
    for file in Store.files(of: OpenedStore.unfinished(path)) { try File.remove(file) }
    let fresh = try Store(path: OpenedStore.unfinished(path))
    defer { fresh.close() }
    let commands = endCommands.unfinished
    try fresh.transaction(.full) { () throws(StoreError) in
      try fresh.goOn(
        afterJob: JobNumber(core.nextNumber.value - 1), event: sequence,
        endCommand: max(journal.lastEndCommand, commands.map(\.id).max() ?? 0))
      if let boot = journal.storedBoot { try fresh.saveBootID(boot) }
      for number in cards.keys.sorted() where !runtime.beingAccepted.contains(number) {
        guard let card = cards[number] else { continue }
        try fresh.insert(card.row, specification: specification(of: card))
      }
      for command in commands { try fresh.insert(command) }
    }
    fresh.close()
    try finishSuccessor(of: path)
  }

  /// Gives what was written its name, once it is on the disk with all that belongs to it.
  private func finishSuccessor(of path: String) throws {
    let unfinished = OpenedStore.unfinished(path)
    guard !File.exists(Store.writeAheadLog(of: unfinished)) else {
      throw SystemError("finish \(unfinished)", SystemError.noSpace)
    }
    try File.open(unfinished).synchronise()
    try File.rename(unfinished, to: OpenedStore.successor(of: path))
    try File.synchroniseDirectory(of: path)
  }

  /// What the job executes, from wherever it can still be read; nil when it cannot.
  private func specification(of card: LiveJob) -> [UInt8]? {
    guard card.host == nil else { return nil }
    if let bytes = (try? store.specification(card.number)) ?? nil,
      (try? LaunchSpecification(decoding: bytes)) != nil
    {
      return bytes
    }
    return launchOrder(card.number, attempt: card.attempt)?.specification.encoded()
  }

  private static func sentence(for error: any Error) -> String {
    (error as? StoreError)?.message ?? "\(error)"
  }
}
