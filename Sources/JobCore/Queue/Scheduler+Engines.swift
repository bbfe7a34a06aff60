// Attempts on an engine use no resources of this machine. The runner limits how many an engine has at a time; a
// cluster allots its resources by its own rules, and those of a host are counted as this machine's are.
extension Scheduler {
  /// The engine has accepted the attempt, and reports why it has not begun.
  mutating func wait(_ number: JobNumber, attempt: Int, elsewhere reason: PendingReason) {
    guard let index = table.index(of: number), table[index].attempt == attempt,
      table[index].engine != nil
    else { return }
    switch table[index].phase {
    case .launching: break
    case .away(let before):
      if before == reason { return }
    case .inLine, .delayed, .after, .awaiting, .scheduled, .held, .running, .stalled, .paused,
      .stopping:
      return
    }
    table[index].phase = .away(reason)
    outbox.announce(number, .queued, .away(reason))
  }

  /// Whether reports of this engine about the job count, because the job was given to it; nil if no such job is
  /// live.
  package func hears(_ engine: String, of number: JobNumber) -> Bool? {
    table.index(of: number).map { table[$0].engine == engine }
  }

  /// Whether the job may have been given to this engine before; late reports about that are no lies.
  package func concerns(_ engine: String, _ number: JobNumber) -> Bool {
    guard let asked = table.index(of: number).flatMap({ table[$0].submission.options.engine })
    else { return false }
    return lanes.pools[asked]?.contains(engine) ?? (asked == engine)
  }

  /// Other engines than before, or other numbers of attempts that each may have.
  mutating func setRooms(of engines: [String: Int], _ pools: [String: [String]], at now: Instant) {
    (lanes.engines, lanes.pools) = (engines, pools)
    setMachines()
    slotsTaken = [:]
    admissionDue = true
  }

  /// Refuses jobs for an engine that is not configured.
  func refusal(byEngines submission: Submission) -> Refusal? {
    guard let engine = submission.options.engine, lanes.engines[engine] == nil,
      lanes.pools[engine] == nil
    else { return nil }
    return Refusal(
      .unavailable, "no engine is called \(engine); config.json lists the engines")
  }
}

extension Submission.Options {
  /// Whose slots it waits for.
  var lane: LaneOwner { LaneOwner(group: group, engine: engine) }

  /// The resources needed on this machine: none if the job runs elsewhere.
  package var demandHere: Requirements { engine == nil ? requirements : Requirements() }
}

extension Instant {
  /// Earlier by this interval, but at least zero.
  func less(_ span: Interval) -> Instant {
    Instant(nanoseconds: nanoseconds - min(nanoseconds, span.nanoseconds))
  }
}
