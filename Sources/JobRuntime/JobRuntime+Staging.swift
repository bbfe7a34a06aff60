import JobCore
import JobWire

// The scheduler's decisions, on their way to the journal.
extension JobRuntime {
  func stage(_ effect: Effect, of event: Event, into turn: inout Turn, at now: Moment) {
    switch effect {
    case .announce(let number, let announcement):
      guard !withdrawn.contains(number) else { return forgetWithdrawn(number, announcement) }
      stage(announcement, of: number, event: event, into: &turn, at: now)
    case .reply(let tag, let reply):
      if case .batch = event { drafts[batch: tag] = nil }
      let host = drafts.removeValue(forKey: tag)?.job.host
      let object = reply.number.flatMap { self.object(of: $0, at: now) }
      turn.answers.append(
        Turn.Answer(tag: tag, reply: .success(reply), object: object, host: host))
    case .launch(let number, let attempt, _) where withdrawn.contains(number):
      // Its turn came before it was taken out.
      withdrawals.append(JobRuntime.neverBegun(number, attempt: attempt))
    case .launch(let number, let attempt, let gpus):
      jobs[number]?.beginAttempt(attempt, gpus: gpus)
      turn.actions.append(effect)
    case .released(let number):
      turn.released.append(number)
      turn.actions.append(effect)
    case .sample(let number), .stop(let number, _, _), .kill(let number), .pause(let number, _, _),
      .resume(let number, _):
      // A withdrawn job has no process to stop.
      if !withdrawn.contains(number) { turn.actions.append(effect) }
    case .probe, .survey: turn.actions.append(effect)
    }
  }

  private func stage(
    _ announcement: Announcement, of number: JobNumber, event: Event, into turn: inout Turn,
    at now: Moment
  ) {
    if !jobs.contains(number) {
      if case .batch(let tag, _) = event {
        return acceptMember(number, under: tag, announcement, into: &turn, at: now)
      }
      accept(number, from: event, into: &turn, at: now)
      guard jobs.contains(number) else { return }
    }
    // The end of one job also changes others that wait: the exit code belongs only to its own job.
    if case .finished(number, _, let end) = event { jobs[number]?.record(end) }
    let (past, delay) = (scheduler.past(of: number), scheduler.delay(of: number))
    let lingers = announcement.kind == .ended && scheduler.isLingering(number)
    if announcement.kind.isSteering, let submission = scheduler.submission(of: number) {
      jobs[number]?.submission = submission
      if case .edit(_, number, let edit) = event {
        jobs[number]?.apply(edit)
        if let specification = edit.specification { turn.replacements[number] = specification }
      }
      if case .submit(let tag, _) = event { coalesce(tag, into: number, &turn) }
    }
    jobs[number]?.apply(announcement, past, delay: delay, lingers: lingers, at: now)
    let isEnd = announcement.kind == .ended
    if isEnd, !drafts.isEmpty, let key = jobs[number]?.submission.key { endedKeys[key] = number }
    turn.lines.append(
      Turn.Line(
        number: number, kind: announcement.kind, state: announcement.state,
        object: described(number, isLive: !isEnd, at: now)))
  }

  /// Adds a job that the scheduler has just accepted.
  private func accept(
    _ number: JobNumber, from event: Event, into turn: inout Turn, at now: Moment
  ) {
    let tag: RequestTag
    let isRedone: Bool
    switch event {
    case .submit(let asked, _): (tag, isRedone) = (asked, false)
    case .redo(let asked, _, _, _, _): (tag, isRedone) = (asked, true)
    default: return
    }
    guard let draft = drafts.removeValue(forKey: tag) else { return }
    var job = draft.job
    if isRedone {
      // Its place is that of its number.
      job.submission = scheduler.submission(of: number) ?? job.submission
    } else {
      job.number = number
      job.submittedAt = now.wall
      turn.specifications[number] = NewSpecification(draft.specification)
    }
    jobs[number] = job
    turn.accepted.append(
      Turn.Acceptance(number: number, tag: tag, kind: isRedone ? .redone : .single))
  }

  /// A push replaces the waiting one, which was not delivered.
  private func coalesce(_ tag: RequestTag, into number: JobNumber, _ turn: inout Turn) {
    guard let draft = drafts[tag] else { return }
    let count = (jobs[number]?.details.pushes ?? 0) &+ draft.job.details.pushes
    jobs[number]?.details = draft.job.details
    jobs[number]?.details.pushes = count
    if turn.specifications[number] != nil {
      turn.specifications[number] = NewSpecification(draft.specification)
    } else {
      turn.replacements[number] = draft.specification
    }
  }

  /// Adds one job of a batch with its announcement; the first job brings the shared specification.
  private func acceptMember(
    _ number: JobNumber, under tag: RequestTag, _ announcement: Announcement,
    into turn: inout Turn, at now: Moment
  ) {
    guard let draft = drafts[batch: tag], let submission = scheduler.submission(of: number) else {
      return
    }
    let isFollowing = turn.batches.last?.key == draft.batch.stem.key
    let first = isFollowing ? turn.batches.last?.first ?? number : number
    if !isFollowing {
      jobs.reserve(draft.batch.count)
      turn.batches.append(
        AcceptedBatch(
          first: first, count: draft.batch.count, key: draft.batch.stem.key,
          specification: draft.specification))
    }
    let index = Int(number.value - first.value)
    var job = draft.job(at: index, submission)
    job.number = number
    job.submittedAt = now.wall
    job.state = announcement.state
    jobs[number] = job
    turn.specifications[number] = NewSpecification(draft.words(at: index), batch: first)
    turn.accepted.append(Turn.Acceptance(number: number, tag: tag, kind: .oneOfMany))
    turn.lines.append(
      Turn.Line(number: number, kind: announcement.kind, state: announcement.state, object: nil))
  }
}

extension LiveJob {
  /// Applies what is only shown.
  fileprivate mutating func apply(_ edit: JobEdit) {
    title = edit.title ?? title
    subtitle = edit.subtitle ?? subtitle
    for entry in edit.environment {
      let name = String(entry.prefix { $0 != "=" })
      if name == JobDetails.unbuffered.name { details.unbuffersPython = false }
      if !details.variables.contains(name) { details.variables.append(name) }
    }
    if let directory = edit.directory, let executed = details.executed {
      details.executed = ExecutedCommand(
        directory: Array(directory.utf8),
        arguments: (executed.command ?? []).map { Array($0.utf8) })
    }
  }

  /// Applies an announcement about it.
  fileprivate mutating func apply(
    _ announcement: Announcement, _ past: PastAttempts?, delay: Instant?, lingers: Bool,
    at now: Moment
  ) {
    state = announcement.state
    remember(past, delay: delay, at: now.awake, now.wall)
    notePause(at: now.wall)
    switch announcement.kind {
    case .started where startedAt == nil: startedAt = now.wall
    case .ended:
      endedAt = attemptEndedAt ?? now.wall
      self.lingers = lingers
    // It may end while it waits.
    case .queued: attemptEndedAt = nil
    default: break
    }
  }

  /// Records the length of a pause that ended, even with the attempt.
  private mutating func notePause(at now: WallTime) {
    if case .paused = state {
      pauseTimes.since = pauseTimes.since ?? now
    } else {
      pauseTimes.end(at: attemptEndedAt ?? now)
    }
  }
}
