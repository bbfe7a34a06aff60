package import JobCore
package import JobWire

extension LiveJob {
  /// The job's public status at this instant.
  ///
  /// `core` is the core's view of a live job, nil once it has ended; `wallNow` and `now` convert the core's
  /// awake times to wall time. `isBrief`: only the columns of a table.
  package func object(
    core: Scheduler.Snapshot?, text: PageText?, paths: Paths, now: Instant, wallNow: WallTime,
    isBrief: Bool = false
  ) -> JobStatus {
    var object = JobStatus(
      number: number, identifier: submission.identifier.text, title: text?.title ?? title,
      submitted: submittedAt, log: isBrief ? "" : paths.log(number),
      stateDirectory: isBrief ? "" : paths.jobState(number))
    object.definition = definition
    object.subtitle = text?.subtitle ?? subtitle
    // A job that starts in the instant of its acceptance was queued without either, however short.
    let isQueued = waits
    object.attempt = isQueued ? attempt : core?.attempt ?? attempt
    object.gpus = isQueued ? [] : core?.gpus ?? gpus
    object.warning = core?.warning ?? warning
    object.attached = attachedCount
    object.terms =
      isBrief
      ? JobStatus.Terms(brief: submission, details) : JobStatus.Terms(submission, details, number)
    object.terms.place(on: machine)
    object.message = message
    if let until = core?.putOffUntil { object.terms.earliest = until }
    object.paused = paused(at: now, wallNow)
    object.progress = progress(at: now, wallNow)
    object.quietUntil = quietUntil(at: now, wallNow)
    describe(shown(core), in: &object, position: core?.position, now: now, wallNow: wallNow)
    describeRun(in: &object)
    return object
  }

  /// A waiting job's current reason, which changes without an event for all but the first in line.
  ///
  /// The same for a paused job that waits for a slot.
  private func shown(_ core: Scheduler.Snapshot?) -> JobState {
    switch (state, core?.state) {
    case (.queued, .queued(let reason)): .queued(reason)
    case (.away, .away(let reason)): .away(reason)
    case (.paused, .paused(let pause)): .paused(pause)
    default: state
    }
  }

  private func describe(
    _ state: JobState, in object: inout JobStatus, position: Int?, now: Instant, wallNow: WallTime
  ) {
    object.enter(state)
    switch state {
    case .queued(let reason): (object.pendingReason, object.position) = (timed(reason), position)
    case .stalled(let since):
      object.prompt = JobStatus.Prompt(
        question: "\(title) \(past.question?.message ?? Self.standstill). Continue?",
        since: wallNow - (now - since))
    case .away, .launching, .running, .paused, .stopping, .ended: break
    }
  }

  private static let standstill = "reports but does not advance"

  /// The core has neither calendar nor texts: the awaited time, and a job's reason for deferring itself, are
  /// added here.
  private func timed(_ reason: PendingReason) -> PendingReason {
    guard reason.code == .notBefore else { return reason }
    if attempt > 0, delayedUntil != nil, let message {
      return PendingReason(.notBefore, "\(reason.message): \(message)")
    }
    guard attempt == 0, let earliest = submission.notBefore else { return reason }
    return PendingReason(.notBefore, "it will not start before \(earliest.text)")
  }

  private func describeRun(in object: inout JobStatus) {
    object.pid = workerPID
    object.engineJob = engineJob
    object.node = node
    let isTreeHere = workerPID != nil && host == nil && engine == nil
    object.controlGroup = isTreeHere ? isGrouped : nil
    if isTreeHere, givesWay { object.terms.limits.append("batch and idle I/O (unwatched)") }
    object.started = startedAt
    object.ended = endedAt
    object.exitCode = exitCode
    object.signal = signal
    object.use = use
    object.use.gpuMillijoules = nil
  }

  /// Nil for a job that never was.
  private func paused(at now: Instant, _ wallNow: WallTime) -> JobStatus.Paused? {
    let times = pauseTimes
    guard times != PauseTimes() else { return nil }
    var paused = JobStatus.Paused(
      since: times.since, seconds: Double(times.length.milliseconds) / 1_000)
    if case .paused(let pause) = state { paused.until = pause.until.map { wallNow + ($0 - now) } }
    return paused
  }

  /// Nil unless the attempt that runs has announced a pause that is not over.
  private func quietUntil(at now: Instant, _ wallNow: WallTime) -> WallTime? {
    let end = sample.quietUntil + past.quietExtension
    guard case .running = state, end > now else { return nil }
    return wallNow + (end - now)
  }
}

/// The worker's current texts, from its page.
package struct PageText {
  package var title: String?
  package var subtitle: String?

  package init() {}
}
