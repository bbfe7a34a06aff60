import JobCore
import JobPage
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

// Replaces a lost store from the runner's memory: its running and waiting jobs are written into a new one.
//
// The new one is complete before the old one is touched, and from then on it is authoritative: nothing is
// stored until it is installed, by this runner or the next one.
extension StoreRecovery {
  /// Writes a copy of the store beside it.
  func writeCopy() throws {
    do throws(StoreError) {
      for file in Store.files(of: OpenedStore.unfinished(path)) { try? File.remove(file) }
      try store.copy(to: OpenedStore.unfinished(path))
    } catch {
      notes.add("the contents of the store cannot be read: \(error.message)")
      return try writeSuccessor()
    }
    try finishSuccessor()
  }

  /// Writes a new store beside the old one from the runner's memory.
  func writeSuccessor() throws {
    for file in Store.files(of: OpenedStore.unfinished(path)) { try File.remove(file) }
    let fresh = try Store(path: OpenedStore.unfinished(path))
    defer { fresh.close() }
    let commands = sources.endCommands()
    // Under another name, engines would not find its attempts there, and would run them again.
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

  /// Renames the written store, once it is on the disk with all its files.
  private func finishSuccessor() throws {
    let unfinished = OpenedStore.unfinished(path)
    guard !File.exists(Store.writeAheadLog(of: unfinished)) else {
      throw SystemError("finish \(unfinished)", SystemError.noSpace)
    }
    try File.open(unfinished).synchronise()
    try File.rename(unfinished, to: OpenedStore.successor(of: path))
    try File.synchroniseDirectory(of: path)
  }

  /// The job's specification, from any source that is still readable; nil without one.
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
