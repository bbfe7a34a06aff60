import JobCore
import JobPage
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

// A store that is lost while this runner knows better: what runs and waits is written into a new one.
extension Runner {
  /// After damage that was mended; a disk that damages everything must not be filled with what it did.
  private static let mendingPause = Span.minutes(1)

  /// Moves the damaged store aside and puts one in its place with all that is live; whether it did.
  func mendStore(because error: StoreError) -> Bool {
    guard clock() >= mendAgainAt else { return false }
    let path = home.places.database
    do {
      try writeSuccessor(of: path)
      store.close()
      let aside = try OpenedStore.moveAside(path)
      try adoptSuccessor(of: path)
      mendAgainAt = clock() + Self.mendingPause
      note(
        "\(path) could not be used: \(error.message); it was moved aside to \(aside), with the"
          + " history; what runs and waits was taken over")
      return true
    } catch {
      mendAgainAt = clock() + .seconds(1)
      note("the damaged store \(path) cannot be replaced: \(Self.sentence(for: error))")
      return false
    }
  }

  /// Gives the store its files back when they are no longer at their names: what is open is written into
  /// new ones.
  func restoreStoreFiles() {
    guard storeMarks != Self.marks(of: home.places.database) else { return }
    guard clock() >= mendAgainAt else {
      homeAgainAt = min(homeAgainAt ?? mendAgainAt, mendAgainAt)
      return
    }
    let path = home.places.database
    do {
      try? File.remove(OpenedStore.successor(of: path))
      do throws(StoreError) {
        try store.copy(to: OpenedStore.successor(of: path))
      } catch {
        note("what was in the store cannot be read: \(error.message)")
        try writeSuccessor(of: path)
      }
      let isForeign = FileMark(path: path) != storeMarks.first
      store.close()
      if isForeign { _ = try OpenedStore.moveAside(path) }
      try adoptSuccessor(of: path)
      note("files of the store \(path) were removed or replaced; they were written anew")
    } catch {
      mendAgainAt = clock() + .seconds(1)
      homeAgainAt = mendAgainAt
      note("the store \(path) cannot be written anew: \(Self.sentence(for: error))")
    }
  }

  /// Which files the store has open.
  func markStore() { storeMarks = Self.marks(of: home.places.database) }

  private static func marks(of path: String) -> [FileMark?] {
    [path, Store.writeAheadLog(of: path)].map { FileMark(path: $0) }
  }

  private func adoptSuccessor(of path: String) throws {
    let successor = OpenedStore.successor(of: path)
    try File.open(successor).synchronise()
    try File.rename(successor, to: path)
    try File.synchroniseDirectory(of: path)
    try store.reopen()
    OpenedStore.prepare(path)
    markStore()
  }

  /// Writes a store beside the other with all that this runner knows.
  private func writeSuccessor(of path: String) throws {
    let successor = OpenedStore.successor(of: path)
    for file in Store.files(of: successor) { try File.remove(file) }
    let fresh = try Store(path: successor)
    defer { fresh.close() }
    let commands = endCommands.unfinished
    try fresh.transaction(.full) { () throws(StoreError) in
      try fresh.goOn(
        afterJob: JobNumber(core.nextNumber.value - 1), event: sequence,
        endCommand: max(journal.lastEndCommand, commands.map(\.id).max() ?? 0))
      if let storedBoot { try fresh.saveBootID(storedBoot) }
      for number in cards.keys.sorted() where !runtime.beingAccepted.contains(number) {
        guard let card = cards[number] else { continue }
        try fresh.insert(card.row, specification: specification(of: card))
      }
      for command in commands { try fresh.insert(command) }
    }
  }

  /// What the job executes, from wherever it can still be read; nil when it cannot.
  private func specification(of card: JobCard) -> [UInt8]? {
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
