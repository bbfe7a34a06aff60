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
    row.state = state
    // Its engine says again why it has not begun.
    if case .away = state { row.state = .launching }
    if case .queued = state, let delayedUntil, let delayedUntilWall {
      row.delay = JobRecord.Delay(
        until: delayedUntil, untilMilliseconds: delayedUntilWall.milliseconds)
    }
    return row
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
    state = row.state
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
    if row.isQueued, let delay = row.delay {
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
}
