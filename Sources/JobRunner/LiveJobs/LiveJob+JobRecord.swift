import JobCore
import JobRuntime
import JobStore
import JobWire

extension LiveJob {
  /// The row that lets a later runner go on with this job.
  var row: JobRecord {
    var row = JobRecord(
      number: number, submission: submission, title: title,
      submittedMilliseconds: submittedAt.milliseconds)
    row.definition = definition
    row.details = details
    row.host = host
    row.lingers = lingers
    row.subtitle = subtitle
    row.message = message
    row.warning = warning
    row.attempt = attempt
    row.exitCode = exitCode
    row.signal = signal
    row.pid = workerPID
    row.engineJob = engineJob
    row.node = node
    row.machine = past.machine
    row.gpus = gpus
    row.startedMilliseconds = startedAt?.milliseconds
    row.endedMilliseconds = endedAt?.milliseconds
    row.use = use
    row.failures = past.failures
    row.spent = past.spent
    row.runningSince = past.runningSince
    row.stallTimeout = past.stallTimeout
    row.question = past.question
    row.expected = past.expected
    row.isSimulated = past.isSimulated
    row.hasWorked = past.hasWorked
    row.paused = past.paused
    row.pauseMark = past.pauseMark
    row.pausedMilliseconds = pauseTimes.since?.milliseconds
    row.pausedFor = pauseTimes.length
    row.quietUntil = sample.quietUntil
    row.quietExtension = past.quietExtension
    if sample.total > 0 || sample.completed > 0 {
      row.progress = JobProgress(
        completed: sample.completed, total: sample.total, unit: sample.unit,
        source: origin.source, recogniser: origin.recogniser)
    }
    describe(state, in: &row)
    return row
  }

  private func describe(_ state: JobState, in row: inout JobRecord) {
    switch state {
    case .queued(let reason):
      row.state = .queued
      if let delayedUntil, let delayedUntilWall {
        row.delay = JobRecord.Delay(
          reason: reason, until: delayedUntil, untilMilliseconds: delayedUntilWall.milliseconds)
      }
    case .launching, .away: row.state = .launching
    case .running: row.state = .running
    case .stalled(let since):
      row.state = .stalled
      row.stalledSince = since
    case .paused(let pause):
      row.state = .paused
      row.stalledSince = pause.stalledSince
      row.pausedSince = pause.since
      row.pausedUntil = pause.until
      row.keepsSlot = pause.keepsSlot
      row.isToResume = pause.waits != nil
    case .stopping(let reason, let deadline):
      row.state = .stopping
      row.stopReason = reason
      row.stopDeadline = deadline
    case .ended(let outcome, let reason):
      row.state = .ended
      row.outcome = outcome
      row.stopReason = reason
    }
  }

  /// A job that an earlier runner stored.
  init(_ row: JobRecord) {
    self.init(
      number: row.number, submission: row.submission, definition: row.definition,
      title: row.title, subtitle: row.subtitle,
      submittedAt: WallTime(milliseconds: row.submittedMilliseconds))
    details = row.details
    host = row.host
    lingers = row.lingers
    attempt = row.attempt
    gpus = row.gpus
    message = row.message
    state = Self.state(of: row) ?? state
    startedAt = row.startedMilliseconds.map { WallTime(milliseconds: $0) }
    workerPID = row.pid
    engineJob = row.engineJob
    node = row.node
    past.machine = row.machine
    exitCode = row.exitCode
    signal = row.signal
    use = row.use
    past.failures = row.failures
    past.spent = row.spent
    past.runningSince = row.runningSince
    past.stallTimeout = row.stallTimeout
    past.question = row.question
    past.expected = row.expected
    past.isSimulated = row.isSimulated
    past.hasWorked = row.hasWorked
    past.paused = row.paused
    past.pauseMark = row.pauseMark
    pauseTimes = PauseTimes(
      since: row.pausedMilliseconds.map { WallTime(milliseconds: $0) }, length: row.pausedFor)
    sample.quietUntil = row.quietUntil
    past.quietExtension = row.quietExtension
    if row.state == .queued, let delay = row.delay {
      state = .queued(delay.reason)
      delayedUntil = delay.until
      delayedUntilWall = WallTime(milliseconds: delay.untilMilliseconds)
    }
    if let progress = row.progress {
      sample.completed = progress.completed
      sample.total = progress.total
      sample.unit = progress.unit
      origin = ProgressOrigin(progress.source, recogniser: progress.recogniser)
    }
  }

  /// The state to show until something changes; nil for a job that waits.
  private static func state(of row: JobRecord) -> JobState? {
    switch row.state {
    case .queued: return nil
    case .stalled:
      if let since = row.stalledSince { return .stalled(since: since) }
    case .paused:
      if let since = row.pausedSince {
        var pause = Pause(
          since: since, stalledSince: row.stalledSince, keepsSlot: row.keepsSlot,
          until: row.pausedUntil)
        if row.isToResume { pause.waits = PendingReason(.slots, "it waits for a slot to resume") }
        return .paused(pause)
      }
    case .stopping:
      if let reason = row.stopReason, let deadline = row.stopDeadline {
        return .stopping(reason, deadline: deadline)
      }
    case .launching: return .launching
    case .running, .ended: break
    }
    return .running
  }
}
