extension Scheduler {
  /// The core's part of a live job's status, beside the runner's own data.
  package struct Snapshot: Hashable, Sendable {
    package var state: JobState
    package var attempt: Int
    /// From 1, in queue order; nil unless in line.
    ///
    /// A job that waits for a time or for another job's
    /// end is queued too, but not in line yet.
    package var position: Int?
    package var gpus: [String]
    /// The machine that was chosen for it; nil = none was.
    package var machine: String?
    package var sample: PageSample
    /// One sentence while the job has been silent for two thirds of its limit; nil after any report.
    package var warning: String?
    /// Whether it holds one of the slots: a running job does, until a prompt stays unanswered.
    package var holdsSlot = false
    /// It waits until then although its own time has come, for its bundle's budget.
    package var putOffUntil: WallTime?
  }

  /// The earliest instant at which `Event.deadline` is due; nil = none is.
  package var nextDeadline: Instant? {
    let admission = admissionDue && lines.contains { !$0.isEmpty } ? latest : nil
    let looks = earliest(probeDue, surveyDue)
    return earliest(earliest(deadlines.earliest, looks), earliest(admission, paceDue))
  }

  /// Live jobs (not ended), ascending.
  package var liveNumbers: [JobNumber] {
    (active.elements + queuedNumbers).sorted()
  }

  /// Jobs waiting in the queue, including those that wait for a time or another job's end.
  package var queuedCount: Int { lines.reduce(delayed.count) { $0 + $1.count } }

  /// Waiting jobs: those in line in queue order, the next to start first, then those not in line yet.
  package var queuedNumbers: [JobNumber] {
    let ranks = lines.count == 1 ? lines[0].ranks : lines.flatMap { $0.ranks }.sorted()
    return ranks.map { $0.place.number } + delayed.elements
  }

  /// Jobs that hold a process tree, or are about to.
  package var runningCount: Int { active.count }

  /// The active jobs whose processes are stopped.
  package var pausedCount: Int {
    active.elements.count { number in
      table.index(of: number).map { table[$0].pause != nil } ?? false
    }
  }

  /// Whether there are jobs that the runner picks the moment for.
  package var hasRequests: Bool { !requests.isEmpty }

  /// Running jobs that a person has started, up to a limit; paused ones are excluded.
  package func startedByPerson(_ limit: Int) -> [JobNumber] {
    active.first(limit) { number in
      guard let index = table.index(of: number) else { return false }
      return !table[index].submission.options.kind.isScheduled && table[index].pause == nil
    }
  }

  /// Slots that are taken.
  package var slotsUsed: Int { lanes.slotsUsedHere }

  /// Processors that running jobs reserved.
  package var processorsReserved: Int { ledger.counted.held[CountedNeed.processors] ?? 0 }

  /// Bytes of main memory that running jobs reserved.
  package var memoryReserved: UInt64 { ledger.memoryReserved }

  /// The resources of the machine's owner, by name: how many there are, and how many are reserved.
  package var countedResources: [(name: String, total: Int, used: Int)] {
    ledger.counted.totals.sorted { $0.key < $1.key }
      .map { ($0.key, $0.value, ledger.counted.held[$0.key] ?? 0) }
  }

  /// The jobs that wait for the end of this one, ascending.
  package func waiting(for number: JobNumber) -> [JobNumber] {
    prerequisites.dependents(of: number)
  }

  /// The live job with this identifier: the newest, when one waits for the end of another.
  package func number(of identifier: JobIdentifier) -> JobNumber? {
    table.number(of: identifier)
  }

  /// The place of a job in the queue, from 1; nil unless it is in line.
  package func position(of number: JobNumber) -> Int? {
    guard let index = table.index(of: number), case .inLine = table[index].phase else { return nil }
    return lines[lane(index)].position(of: table[index].place, table[index].row)
  }

  /// The state of a live job; nil if it ended or never existed.
  ///
  /// The pending reason of a queued job is computed here, at the instant of the last event, so that it is also
  /// true for the many in the queue whose changes are not announced.
  package func snapshot(_ number: JobNumber) -> Snapshot? {
    guard let index = table.index(of: number) else { return nil }
    let job = table[index]
    var snapshot = Snapshot(
      state: state(index), attempt: job.attempt, gpus: job.lease.gpus, sample: job.watch.sample)
    if case .inLine = job.phase { snapshot.position = position(of: number) }
    if job.isActive, job.watch.isWarned { snapshot.warning = Self.warning(for: job.submission) }
    snapshot.machine = job.machine
    snapshot.holdsSlot = job.lease.hasSlot
    snapshot.putOffUntil = putOff[number]?.until
    return snapshot
  }

  /// The state that a live job's attempts so far leave to the next ones.
  package func past(of number: JobNumber) -> PastAttempts? {
    guard let index = table.index(of: number) else { return nil }
    var past = PastAttempts()
    past.failures = table[index].failures
    past.spent = table[index].spent
    past.paused = table[index].paused
    past.pauseMark = table[index].pauseMark
    past.isSimulated = table[index].isSimulated
    past.machine = table[index].machine
    switch table[index].phase {
    case .inLine, .delayed, .after, .awaiting, .scheduled, .held, .launching, .away: break
    case .running, .stalled, .paused, .stopping:
      past.runningSince = table[index].watch.startedAt
      past.quietExtension = table[index].watch.quietExtension
      past.question = table[index].watch.question
      past.expected = table[index].watch.expected
      past.hasWorked = table[index].watch.hasWorked
      let stallTimeout = table[index].watch.stallTimeout
      if stallTimeout > max(table[index].submission.options.stallAfter, Watch.confirmation) {
        past.stallTimeout = stallTimeout
      }
    }
    return past
  }

  /// The current submission of a live job, with all edits, holds and moves.
  package func submission(of number: JobNumber) -> Submission? {
    table.index(of: number).map { table[$0].submission }
  }

  /// Until when a live job waits for a time; nil when it does not.
  package func delay(of number: JobNumber) -> Instant? {
    guard let index = table.index(of: number), case .delayed(let until, _) = table[index].phase
    else { return nil }
    return until
  }

  /// The public face of a phase.
  func state(_ index: Int) -> JobState {
    if table[index].submission.isHeld, !table[index].isActive {
      return .queued(Scheduler.reasonToHold)
    }
    return switch table[index].phase {
    case .inLine: .queued(reasonInLine(index, at: latest))
    case .delayed(_, let reason): .queued(reason)
    case .after(let predecessor):
      .queued(
        timeToWait(of: index) == nil
          ? Scheduler.reason(after: predecessor) : Scheduler.scheduledReason)
    case .awaiting: .queued(reasonToAwait(table[index].number))
    case .scheduled: .queued(reasonScheduled(table[index].number))
    case .held: .queued(Scheduler.reasonToHold)
    case .launching: .launching
    case .away(let reason): .away(reason)
    case .running: .running
    case .stalled(let since): .stalled(since: since)
    case .paused(let pause): .paused(shown(pause, of: table[index].submission.options.lane))
    case .stopping(let stop): .stopping(stop.reason, deadline: stop.deadline)
    }
  }

  private static func warning(for submission: Submission) -> String? {
    submission.options.silentAfter.map {
      "no sign of life for \(Watch.warningSpan($0).words);"
        + " after \($0.words) of silence the job is stopped"
    }
  }
}
