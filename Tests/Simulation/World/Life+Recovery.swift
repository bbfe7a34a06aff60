import JobCore
import JobRuntime

extension Life {
  /// The next runner continues from the store, the run records, and their locks.
  mutating func recover() {
    guard runtime == nil else { return }
    begin()
    if journal.isRunnerPaused { post(.pauseRunner(true)) }
    post(.settings(settings))
    post(.saving(saving))
    post(.busy(pressure: busy.pressure, presence: busy.presence))
    post(.uses(pastUses))
    checkBatches()
    for number in journal.rows.keys.sorted() {
      if let row = journal.rows[number] { restore(number, reconciled(row)) }
    }
    for number in journal.lingering.keys.sorted() {
      if let row = journal.lingering[number] { restoreLingering(number, row) }
    }
    if runtime?.inbox.isEmpty ?? true { journal.storeBoot() }
    runtime?.putRestoresFirst(at: timeOfDay)
  }

  private mutating func restore(_ number: JobNumber, _ row: LiveJob) {
    goOn(with: row)
    if let mark = row.host?.mark { return restoreHosted(number, row, mark) }
    if row.waits { return }
    let place = place(of: row)
    guard let end = end(of: place, isAway: row.engine != nil) else {
      post(.started(number, attempt: row.attempt))
      settleAdopted(row)
      // The earlier runner may have decided to stop it without sending that.
      if row.isStopping, let place, !attempts[place].wasToldToStop { stop(number) }
      return
    }
    post(.finished(number, attempt: row.attempt, end))
  }

  private func place(of row: LiveJob) -> Int? {
    attempts.lastIndex { $0.number == row.number && $0.attempt == row.attempt }
  }

  /// Its process went on, or is gone.
  private mutating func restoreHosted(_ number: JobNumber, _ row: LiveJob, _ mark: String) {
    let isThere = isAlive(mark)
    if !isThere { blamed[number, default: []].insert(.supervisorLost) }
    if row.waits {
      if !isThere { post(.hostLost(number, "its process has ended")) }
      return
    }
    guard let place = place(of: row) else {
      if rebooted {
        return post(.finished(number, attempt: row.attempt, RunEnd(status: .rebooted)))
      }
      return offer(number, row.attempt, row.gpus, to: mark)
    }
    var end = RunEnd(status: .hostEnded, declared: attempts[place].declared)
    end.sample = attempts[place].sample(at: time)
    if rebooted { end.status = .rebooted }
    if isThere {
      guard !attempts[place].hasSupervisor else {
        if attempts[place].record == .started { post(.started(number, attempt: row.attempt)) }
        if row.isStopping, !attempts[place].wasToldToStop { stop(number) }
        return
      }
      end.status = .completed
    }
    post(.finished(number, attempt: row.attempt, end))
  }

  /// It has ended, but its process may still hold its resources.
  private mutating func restoreLingering(_ number: JobNumber, _ row: LiveJob) {
    goOn(with: row)
    let isHeld = place(of: row).map { attempts[$0].hasSupervisor } ?? false
    guard !isHeld else { return }
    let status: RunEnd.Status = isAlive(row.host?.mark ?? "") ? .completed : .hostEnded
    post(.finished(number, attempt: row.attempt, RunEnd(status: status)))
  }

  /// The end of an attempt, by its record and the lock; nil while it lives.
  private mutating func end(of place: Int?, isAway: Bool) -> RunEnd? {
    guard let place else { return RunEnd(status: rebooted && !isAway ? .rebooted : .revoked) }
    if attempts[place].isLocked { return nil }
    let end = attempts[place].end(at: time)
    if case .ended = attempts[place].record { return end }
    if rebooted, !isAway { return RunEnd(status: .rebooted, sample: end.sample) }
    guard attempts[place].record == .empty || attempts[place].record == .revoked else { return end }
    // The supervisor never began, and now never will: the next attempt may.
    attempts[place].record = .revoked
    return RunEnd(status: .revoked)
  }

  private func goOn(with row: LiveJob) {
    let moment = Moment(awake: now, wall: timeOfDay)
    // A reboot of this machine does not affect remote attempts.
    let isSameBoot = !rebooted || row.engine != nil && !row.waits
    runtime?.restore(row, isSameBoot: isSameBoot, at: moment)
  }

  /// Checks a job's end against its true history.
  mutating func check(_ end: SimulatedJournal.End) {
    let (number, outcome, reason) = (end.number, end.outcome, end.reason)
    if outcomes[number] != nil { deny("job \(number) ends twice") }
    outcomes[number] = outcome
    promisedToRedo.remove(number)
    if let reason, let job = journal.ended[number] { checkSuccessor(of: job, reason) }
    for place in living where attempts[place].number == number && attempts[place].isRunning {
      // Resources that its process still holds must stay taken.
      if attempts[place].host != nil, journal.lingering[number] != nil { continue }
      if attempts[place].isLeft { continue }
      deny("job \(number) ended \(outcome), and its worker runs")
    }
    let first = redoneFrom[number] ?? 1
    let last = attempts.last {
      $0.number == number && $0.attempt >= first && $0.record != .empty && $0.record != .revoked
    }
    var blame = blamed[number] ?? []
    if wasStopped { blame.insert(.runnerStop) }
    switch outcome {
    case .succeeded where last?.record != .ended(.exited(0)) && last?.declared != .success:
      deny("job \(number) succeeded, and its worker did not")
    // The next attempt after an expiry may be one that cannot be started, and has no record.
    case .failed
    where last?.record == .ended(.exited(0)) && last?.declared == .success
      && last?.attempt == journal.ended[number]?.attempt:
      deny("job \(number) failed, and its worker succeeded")
    case .cancelled
    where reason?.code == .user && !blame.contains(.user) && !isHalted(number):
      deny("job \(number) was cancelled by nobody")
    case .interrupted where !blame.contains(reason?.code ?? .user):
      deny("job \(number) was interrupted by nothing: \(reason?.message ?? "")")
    case .refused where reason?.code == .dependency && mayStart(number):
      deny("job \(number) was refused, and what it comes after has succeeded")
    case .succeeded, .failed, .cancelled, .expired, .interrupted, .refused: break
    }
  }

  /// Whether all prerequisites of a job have succeeded, or have not ended.
  private func mayStart(_ number: JobNumber) -> Bool {
    let named = journal.ended[number]?.submission.after ?? []
    // The journal's state, because a job that ends in the same turn may have a larger number.
    return named.allSatisfy { other in
      journal.outcome(of: other.number).map { other.isMet(by: $0) } ?? true
    }
  }
}
