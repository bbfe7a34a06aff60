// Hosted jobs run in a process that the runner must not kill. When the grace of a stop is over, such a job is
// reported as ended, and its slot and GPUs stay taken: a process that ignores the stop still has its memory on
// the GPU. They are released when the process is gone or reports completion.
extension Scheduler {
  /// Hosted jobs that are reported as ended and still hold resources, ascending.
  package var lingeringNumbers: [JobNumber] { lingering.keys.sorted() }

  /// Whether this job is reported as ended and still holds something.
  package func isLingering(_ number: JobNumber) -> Bool { lingering[number] != nil }

  /// Moves the lease of an ending job to `lingering`.
  mutating func linger(_ index: Int) {
    let number = table[index].number
    table[index].lease.slotUntil = nil
    lingering[number] = table[index].lease
    let options = table[index].submission.options
    _ = lanes.enter(options.lane, slots: options.groupSlots)
    table[index].lease = Lease()
    leaveMachine(index)
  }

  /// The host of a lingering job is gone or reports completion: release the lease.
  mutating func letGo(_ number: JobNumber) {
    guard var lease = lingering.removeValue(forKey: number) else { return }
    let lane = Int(lease.lane)
    release(&lease)
    leaveLane(lane)
    outbox.act(.released(number))
    admissionDue = true
  }

  /// The process that should run a job is gone or silent: jobs that only wait for it end.
  ///
  /// A job that was offered to the process may have begun there unnoticed, so its resources stay taken. Running
  /// jobs continue: their page still reports, and the end of their process is a separate event.
  mutating func loseHost(of number: JobNumber, _ why: String, at now: Instant) {
    guard let index = table.index(of: number), table[index].submission.isHosted else { return }
    let reason = StopReason(.supervisorLost, why)
    switch table[index].phase {
    case .inLine, .delayed, .after, .awaiting, .scheduled, .held:
      end(index, .interrupted, reason, at: now)
    case .launching: end(index, .interrupted, reason, RunEnd(status: .outlives), at: now)
    case .away, .running, .stalled, .paused, .stopping: break
    }
  }

  /// Restores the lease of an earlier runner's job whose host has not let go.
  mutating func restoreLingering(
    _ number: JobNumber, _ submission: Submission, gpus: [String]
  ) {
    guard lingering[number] == nil else { return }
    let options = submission.options
    let lane = lanes.enter(options.lane, slots: options.groupSlots)
    while lines.count <= lane { lines.append(WaitingLine()) }
    var lease = ledger.adopt(options.requirements, gpus: gpus, by: number)
    takeSlot(share(of: options), in: lane, for: &lease)
    lingering[number] = lease
    noteSlots(of: lane)
  }
}

extension RunEnd {
  /// Whether work that is reported as ended may still hold its resources.
  ///
  /// A task that declared its outcome has let go, even if that report was lost.
  var lingers: Bool { status == .outlives && declared == .nothing }
}
