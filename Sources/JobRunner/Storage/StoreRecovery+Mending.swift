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
extension StoreRecovery {
  /// Writes a store beside the other with all that is in it.
  func writeCopy() throws {
    do throws(StoreError) {
      for file in Store.files(of: OpenedStore.unfinished(path)) { try? File.remove(file) }
      try store.copy(to: OpenedStore.unfinished(path))
    } catch {
      notes.add("what was in the store cannot be read: \(error.message)")
      return try writeSuccessor()
    }
    try finishSuccessor()
  }

  /// Writes a store beside the other with all that this runner knows.
  func writeSuccessor() throws {
    for file in Store.files(of: OpenedStore.unfinished(path)) { try File.remove(file) }
    let fresh = try Store(path: OpenedStore.unfinished(path))
    defer { fresh.close() }
    let commands = sources.endCommands()
    // Under another one engines would have none of what runs there, and it would run again.
    if let name = sources.nameOfStore() { _ = try fresh.ownName { name } }
    try fresh.transaction(.full) { () throws(StoreError) in
      try fresh.goOn(
        afterJob: JobNumber(runtime.scheduler.nextNumber.value - 1), event: runtime.sequence,
        endCommand: max(journal.lastEndCommand, commands.map(\.id).max() ?? 0))
      if runtime.scheduler.isPaused { try fresh.saveHeld(true) }
      let paused = runtime.scheduler.pausedGroups
      if !paused.isEmpty { try fresh.savePausedGroups(paused) }
      if let boot = journal.storedBoot { try fresh.saveBootID(boot) }
      try fresh.saveMountNumber(journal.storedMount)
      let batches = ((try? store.batches()) ?? []).filter { !$0.specification.isEmpty }
      for batch in batches { try fresh.insert(batch) }
      let shared = Set(batches.map(\.first))
      for number in runtime.jobs.keys.sorted() where !runtime.beingAccepted.contains(number) {
        guard let liveJob = runtime.jobs[number] else { continue }
        let specification = specification(of: liveJob, sharing: shared)
        try fresh.insert(
          liveJob.row, specification: specification?.bytes, batch: specification?.batch)
      }
      for command in commands { try fresh.insert(command) }
    }
    fresh.close()
    try finishSuccessor()
  }

  /// Gives what was written its name, once it is on the disk with all that belongs to it.
  private func finishSuccessor() throws {
    let unfinished = OpenedStore.unfinished(path)
    guard !File.exists(Store.writeAheadLog(of: unfinished)) else {
      throw SystemError("finish \(unfinished)", SystemError.noSpace)
    }
    try File.open(unfinished).synchronise()
    try File.rename(unfinished, to: OpenedStore.successor(of: path))
    try File.synchroniseDirectory(of: path)
  }

  /// What the job executes, from wherever it can still be read; nil when it cannot.
  private func specification(
    of liveJob: LiveJob, sharing shared: Set<JobNumber>
  ) -> StoredSpecification? {
    guard liveJob.host == nil else { return nil }
    if let stored = (try? store.specification(liveJob.number)) ?? nil,
      stored.batch.map({ shared.contains($0) }) ?? true,
      (try? LaunchSpecification(stored, of: liveJob.number)) != nil
    {
      return stored
    }
    let order = sources.launchOrder(liveJob.number, liveJob.attempt)
    return order.map { StoredSpecification($0.specification.encoded()) }
  }
}
