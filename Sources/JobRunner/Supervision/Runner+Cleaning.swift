import JobCore
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

extension Runner {
  /// Removes the run records and pages of an ended job's attempts; its state folder goes later, when
  /// the job left nothing in it.
  func clean(after number: JobNumber, attempts count: Int) {
    // Leftovers harm nobody: a record is only read for a live job, a page only by its number.
    if count <= Limits.attemptsByName {
      for attempt in stride(from: 1, through: count, by: 1) {
        try? File.remove(home.places.runRecord(number, attempt: attempt))
        try? File.remove(home.places.launchOrder(number, attempt: attempt))
        try? File.remove(home.page(number, attempt: attempt))
      }
    } else {
      let pages = File.parent(of: home.page(number, attempt: 0))
      for folder in [home.places.runRecords, pages] {
        for name in (try? File.names(in: folder)) ?? [] where name.hasPrefix("\(number).") {
          try? File.remove("\(folder)/\(name)")
        }
      }
    }
    emptied.insert(number)
    emptyAt = clock() + .seconds(1)
  }

  /// Makes a job's state folder before its first attempt, or checks the one from before.
  ///
  /// One that an ended job left empty is taken over: renaming it costs some microseconds, removing it
  /// milliseconds where the file system tells the disk of each block that is free (mount option discard).
  func prepareStateFolder(of number: JobNumber, attempt: Int) throws(DirectoryProblem) {
    let path = home.places.jobState(number)
    if attempt == 1, let spare = takeSpareFolder() {
      do throws(SystemError) {
        try File.rename(home.places.jobState(spare), to: path)
      } catch {
        emptied.insert(spare)
      }
    }
    try PrivateDirectory.prepare(path)
  }

  /// An ended job whose state folder is empty and what was made for it; others stay as they are.
  private func takeSpareFolder() -> JobNumber? {
    while let number = emptied.popFirst() {
      guard attempts[number] == nil, cards[number] == nil else { continue }
      let path = home.places.jobState(number)
      // Whatever the job has put in its place must not become another's.
      guard let status = try? File.status(path, followingLinks: false),
        status.kind == .directory, status.owner == CurrentProcess.userIdentifier
      else { continue }
      if (try? File.names(in: path))?.isEmpty == true { return number }
    }
    return nil
  }

  /// When state folders of ended jobs are removed; nil while something runs, unless they are many, or
  /// none is left.
  ///
  /// A folder cannot be removed while the file system writes what the store waits for, which would
  /// cost the loop milliseconds for each of many short jobs.
  var nextEmptying: Instant? {
    guard attempts.isEmpty else { return emptied.count > Limits.emptyFolders ? clock() : nil }
    return emptied.isEmpty ? nil : emptyAt
  }

  /// Removes some more of the state folders that are empty.
  func removeEmptied(atMost limit: Int? = nil) {
    let usual = attempts.isEmpty ? Limits.removedAtOnce : 1
    for number in Array(emptied.prefix(limit ?? usual)) {
      emptied.remove(number)
      if attempts[number] == nil { File.removeEmptyDirectory(home.places.jobState(number)) }
    }
  }

  /// Removes what a forgotten job leaves: its log and its state folder.
  func clean(after number: JobNumber) {
    try? File.remove(home.places.log(number))  // gone already is as good
    try? File.remove(home.places.input(number))
    discard(home.places.jobState(number))
  }

  /// Keeps history within its bounds, a page at a time; called at start, and after so many ends.
  func prune() {
    endsSincePruning = 0
    let oldest = wallClock() - .days(UInt64(configuration.historyDays))
    do throws(StoreError) {
      try renewAllowance()
      var aged: [JobNumber] = []
      let pruned = try store.transaction(.normal) { () throws(StoreError) in
        try store.pruneEvents(keeping: Limits.keptEvents, limit: Limits.keptEvents)
        aged = try store.prune(
          endedBefore: oldest.milliseconds, limit: min(ageAllowance, Limits.listPage))
        return try store.prune(keeping: configuration.historyCount, limit: Limits.listPage)
      }
      ageAllowance -= aged.count
      // A full page may not have been all: the next end goes on with it.
      if max(pruned.count, aged.count) == Limits.listPage { endsSincePruning = Limits.prunedEvery }
      for number in aged + pruned { clean(after: number) }
    } catch {
      note("old jobs cannot be removed: \(error.message)")
    }
  }

  /// A tenth of the history may go for its age at a start, and as much on each day after it: what is old
  /// is so by a clock that may be years ahead.
  private func renewAllowance() throws(StoreError) {
    let now = clock()
    guard now >= nextAllowanceAt else { return }
    ageAllowance = (try store.endedCount() + 9) / 10
    nextAllowanceAt = now + .days(1)
  }
}
