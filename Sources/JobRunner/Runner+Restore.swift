import JobCore
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

extension Runner {
  /// Continues where an earlier runner stopped: queued jobs are queued, living trees adopted, and jobs that
  /// ended meanwhile get their true end from their run record.
  func restore(_ restored: RestoredState) {
    let boot = local.context.boot
    let isSameBoot = restored.boot == boot
    local.inheritedMount = restored.mount
    nextRuns.noticeClock(.now(), at: .now())
    if restored.isHeld { ask(.pauseRunner(true)) }
    for group in restored.pausedGroups { ask(.pauseGroup(group, true)) }
    if !configuration.resources.isEmpty { ask(.counted(configuration.resources)) }
    if !configuration.engines.isEmpty {
      ask(.engines(configuration.engineRoom, pools: configuration.pools))
    }
    if !configuration.bundleSettings.isEmpty { ask(.settings(configuration.bundleSettings)) }
    tellHalts(of: restored.jobs)
    tellUses()
    tellEnergy()
    liveJobs.reserve(restored.jobs.count)
    for row in restored.jobs { restore(row, isSameBoot: isSameBoot) }
    for row in restored.jobs where !row.isQueued {
      nextRuns.planSuccessor(of: row.number)
    }
    memory.note(restored.jobs.count * MemoryTrimmer.bytesOfOne)
    for row in restored.lingering { hosted.adoptLingering(row, isSameBoot: isSameBoot) }
    engines.endWhatIsLeft()
    storage.beginMending()
    do throws(StoreError) {
      defer { runtime.putRestoresFirst(at: .now()) }
      try rebuildLost()
      local.removeStrayInputs()
      local.removeStrayGroups()
      cleanup.removeLeftovers()
      try endCommands.restore(
        recordsMayBeLost: isSameBoot && restored.mount != local.context.mount)
    } catch {
      // Jobs that were not restored keep their files, for the next runner.
      return notes.add("the running jobs cannot be taken over: \(error.message)")
    }
    do throws(StoreError) {
      let delayed = liveJobs.values.filter { $0.delayedUntil != nil }.map(\.number)
      storage.journal.begin(boot: boot, mount: local.context.mount, rewriting: delayed)
      settle()
      guard !runtime.isHoldingBack else { return }
      try storage.journal.storeBoot(liveJobs)
    } catch {
      notes.add("the jobs of the previous runner cannot be stored: \(error.message)")
    }
    history.act(at: .now())
    takeRemovals()
  }

  /// Reports the failures of submissions that halt only after several.
  private func tellHalts(of jobs: [JobRecord]) {
    var counts: [String: Int] = [:]
    for job in jobs where job.submission.options.halts && job.submission.options.haltAfter > 1 {
      let stem = job.submission.stem
      guard counts[stem] == nil else { continue }
      let outcomes: [Outcome] =
        job.submission.options.haltsOnSuccess ? [.succeeded] : [.failed, .expired]
      counts[stem] = (try? store.countEnded(outcomes, ofSubmission: stem)) ?? 0
    }
    for (stem, count) in counts where count > 0 { ask(.halted(stem, count: count)) }
  }

  /// The budget usage of bundles survives a runner.
  private func tellUses() {
    do throws(StoreError) {
      let uses = try store.uses(since: .now() - configuration.budget.window)
      if !uses.isEmpty { ask(.uses(uses)) }
    } catch {
      notes.add("the use of budgets cannot be read: \(error.message)")
    }
  }

  private func restore(_ row: JobRecord, isSameBoot: Bool) {
    let row = informed(row)
    liveJobs[row.number] = LiveJob(row)
    switch (row.state, row.host) {
    case (.queued, nil): runtime.restore(row, isSameBoot: isSameBoot)
    case (.queued, _?): hosted.adoptWaiting(row, isSameBoot: isSameBoot)
    default: executor(of: row.number).adopt(row, isSameBoot: isSameBoot)
    }
  }

  /// With the ends of its alternatives: after a success it waits for none of them.
  private func informed(_ row: JobRecord) -> JobRecord {
    guard !row.submission.after.needingOneSuccess.isEmpty else { return row }
    var row = row
    for index in row.submission.after.indices where row.submission.after[index].isOne {
      let other = try? store.job(row.submission.after[index].number)
      row.submission.after[index].outcome = other?.state.outcome
    }
    return row
  }

  /// Restores running jobs that the store has lost, from their supervisors' launch orders.
  ///
  /// Only launched jobs leave such files: waiting ones are lost with their store.
  ///
  /// - Throws: when the store cannot take them; then none of their files may be removed.
  private func rebuildLost() throws(StoreError) {
    let boot = local.context.boot
    var rebuilt: [JobNumber] = []
    for (number, attempt) in local.files.launchedAttempts() where liveJobs[number] == nil {
      guard try store.job(number) == nil,
        let job = local.files.unknownJob(number, attempt: attempt)
      else { continue }
      // The engines know the restored jobs only under the old name of the store.
      if let name = job.store, try store.ownName({ name }) != name {
        notes.add("job \(number) runs elsewhere for another store")
        continue
      }
      try store.transaction(.full) { () throws(StoreError) in
        try store.insert(job.row, specification: job.specification)
        // Of this boot, whenever this runner dies: a store without one would be taken for older.
        if storage.journal.storedBoot == nil, job.boot == boot { try store.saveBootID(job.boot) }
      }
      rebuilt.append(number)
      liveJobs[number] = LiveJob(job.row)
      if job.store != nil {
        engines.adopt(job.row, isSameBoot: true)
      } else {
        // That it runs is a guess, as only its launch is known.
        local.adopt(job.row, isSameBoot: job.boot == boot, hasBegun: false, mount: job.mount)
      }
    }
    guard !rebuilt.isEmpty else { return }
    let numbers = rebuilt.map { "\($0)" }.joined(separator: ", ")
    notes.add("the store did not know what runs; rebuilt from the run records: \(numbers)")
  }
}
