import JobCore
import JobPage
import JobRecognition
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

// What is told of how far attempts are, and of how they ended.
extension EngineExecutor {
  func begin(_ remote: RemoteAttempt) {
    guard !remote.hasStarted else { return }
    remote.hasStarted = true
    runtime.inbox.append(.started(remote.name.job, attempt: remote.name.attempt))
  }

  /// Takes in what was seen where the attempt runs.
  ///
  /// What was seen before says nothing new: only a machine that goes on writing can condemn its job.
  func apply(_ look: RemoteSample, _ remote: RemoteAttempt) {
    let number = remote.name.job
    guard look.sequence > remote.sequence, var job = runtime.jobs[number] else { return }
    remote.sequence = look.sequence
    remote.declared = RunEnd.Declared(look)
    let now = Instant.now()
    var sample = PageSample(look, at: now, before: job.sample)
    let source = job.origin.source
    observe(&sample, of: remote, &job)
    // Other counts, or counts of something else, say nothing about these.
    if sample.unit != job.sample.unit || source != job.origin.source { job.forgetPace() }
    if sample.total > 0, let usual = job.recallEarlierRuns(from: context.store, for: sample) {
      runtime.inbox.append(.expected(number, usual))
    }
    let before = (job.sample.textSequence, job.sample.quietUntil, job.warning)
    let wallNow = WallTime.now()
    let hasMoved = job.apply(sample, at: now, wallNow)
    trace(remote, job, nil, at: wallNow)
    job.warning = [look.problem, look.warning].first { !$0.isEmpty }
    let hasSpoken = before != (sample.textSequence, sample.quietUntil, job.warning)
    if !look.message.isEmpty { job.message = look.message }
    context.sampler.note(&job, hasMoved: hasMoved, hasSpoken: hasSpoken)
    runtime.jobs[number] = job
    var text = PageText()
    text.title = look.title.isEmpty ? nil : look.title
    text.subtitle = look.subtitle.isEmpty ? nil : look.subtitle
    runtime.texts[number] = text
    show(look, sample, remote)
    let judged = sample.judged(job.origin, job.submission.options.observation)
    // They are the page's: what the output says is seen here, as it comes.
    let ages =
      job.origin.source == .page
      ? SampleAges(
        reported: .milliseconds(look.reportedAgoMilliseconds),
        advanced: .milliseconds(look.advancedAgoMilliseconds))
      : nil
    runtime.inbox.append(.sampled(number, judged, ages: ages))
  }

  /// Of what runs elsewhere the output comes along, and no files are to be seen.
  private func observe(
    _ sample: inout PageSample, of remote: RemoteAttempt, _ job: inout LiveJob, end: Bool? = nil
  ) {
    remote.observer.observe(
      &sample, &job, log: home.paths.log(remote.name.job), end: end, below: nil,
      started: { _ in 0 })
  }

  /// The attempt is over: what its output said last is known.
  private func observeEnd(_ remote: RemoteAttempt, _ ended: RunRecord.Ended) {
    guard var job = runtime.jobs[remote.name.job], remote.observer.isWanted(for: job) else {
      return
    }
    var sample = job.sample
    (sample.completed, sample.total) = (0, 0)
    observe(&sample, of: remote, &job, end: !ended.hasFailed)
    _ = job.apply(sample, at: .now(), .now())
    runtime.jobs[remote.name.job] = job
  }

  func mark(_ number: JobNumber, _ mark: ProgressTrace.Mark) {
    guard let remote = attempts[number], let job = runtime.jobs[number] else { return }
    trace(remote, job, mark)
  }

  private func trace(
    _ remote: RemoteAttempt, _ job: LiveJob, _ mark: ProgressTrace.Mark?, at now: WallTime = .now()
  ) {
    context.sampler.trace(
      in: &remote.trace, remote.name.job, attempt: remote.name.attempt, job, mark, at: now)
  }

  /// Writes the worker's words into the page that terminals here look at.
  private func show(_ look: RemoteSample, _ sample: PageSample, _ remote: RemoteAttempt) {
    guard look.problem.isEmpty else { return }
    var words = PageSnapshot()
    words.completed = look.completed
    words.total = look.total
    words.reports = look.reports
    words.unit = PageUnit(rawValue: look.unit) ?? .items
    words.quietUntil = sample.quietUntil.nanoseconds
    words.title = look.title
    words.subtitle = look.subtitle
    // A page that is gone shows nothing; the row of the job says the same.
    try? PageControl(path: remote.pagePath).show(words)
  }

  /// The attempt is over, as its supervisor recorded it.
  ///
  /// `message`: what the engine itself has written of it.
  func conclude(_ remote: RemoteAttempt, _ text: String, _ cause: EngineCause?, _ message: String) {
    let number = remote.name.job
    let record = RunRecord(parsing: Array(text.utf8))
    guard let ended = record.ended else {
      let last = text.split(separator: "\n").last { $0.hasPrefix("ended") }
      let why =
        last.map {
          let said = String($0).quoted
          return "\(remote.engine) reported an impossible end: \(said)"
        } ?? "its supervisor on \(remote.engine) could not record how the job ended"
      return finish(remote, RunEnd(status: .engine(.lost(why))))
    }
    if record.started != nil { begin(remote) }
    runtime.jobs[number]?.take(ended, record.transferred)
    observeEnd(remote, ended)
    let status = status(of: ended, record, remote, cause, message)
    var end = RunEnd(status: status, declared: remote.declared)
    // Files that are still there make no success.
    if runtime.jobs[number]?.details.fetch.isEmpty == true { end.ran = record.ranByItself }
    if ended.hasFailed, runtime.jobs[number]?.message == nil,
      runtime.jobs[number]?.isStopping == false
    {
      let message = context.sampler.failureMessage(of: number)
      runtime.jobs[number]?.message = message
    }
    finish(remote, end)
  }

  /// Whatever ended the worker decides, not only how it ended.
  private func status(
    of ended: RunRecord.Ended, _ record: RunRecord, _ remote: RemoteAttempt, _ cause: EngineCause?,
    _ message: String
  ) -> RunEnd.Status {
    switch (record.stopCause, ended.status) {
    case (_, .cannotStart): .cannotStart(ended.message)
    case (.outside, _) where remote.declared != .success:
      .engine(outside(cause, remote, message))
    case (nil, .signalled(Signal.kill)) where cause != nil:
      .engine(end(cause ?? .lost, remote, message))
    case (.partition(let name), _) where remote.declared != .success:
      .engine(end(.overLimit, remote, RunRecord.StopCause.timeIsUp(in: name)))
    case (.limit, _) where remote.declared != .success: .engine(end(.overLimit, remote))
    case (_, .exited(let code)): .exited(code)
    case (_, .signalled(let number)): .signalled(number)
    }
  }
}

extension EngineExecutor {
  /// What an engine says, in words; `message`: its own.
  func end(_ cause: EngineCause, _ remote: RemoteAttempt, _ message: String = "")
    -> RunEnd.EngineEnd
  {
    let said = message.isEmpty ? "" : ": \(message)"
    return switch cause {
    case .cancelled: .cancelled("it was cancelled on \(remote.engine) by someone else\(said)")
    case .preempted: .preempted("\(remote.engine) needed its place for other jobs\(said)")
    case .outOfMemory: .outOfMemory(outOfMemory(remote) + said)
    case .overLimit: .overLimit(message.isEmpty ? "its time was up on \(remote.engine)" : message)
    case .lost: .lost(message)
    }
  }

  /// The engine, or a user there, has ended it.
  private func outside(
    _ cause: EngineCause?, _ remote: RemoteAttempt, _ message: String
  ) -> RunEnd.EngineEnd {
    if let cause { return end(cause, remote, message) }
    let why = message.isEmpty ? ", and does not say why" : ": \(message)"
    return .lost("\(remote.engine) ended it\(why)")
  }
}

extension EngineExecutor {
  private func outOfMemory(_ remote: RemoteAttempt) -> String {
    let job = runtime.jobs[remote.name.job]
    let asked = job?.details.memoryBytes ?? job?.submission.options.requirements.memoryBytes ?? 0
    let amount = asked > 0 ? "\(BinarySize.formatExactly(asked)) of memory" : "memory"
    return "it was killed on \(remote.engine) when the \(amount) that it had requested ran out"
  }
}

extension RunRecord {
  /// The run time of a worker that exited without being told to stop; nil for any other end, or a clock that was
  /// set back.
  fileprivate var ranByItself: Interval? {
    guard let ended, stopCause == nil, case .exited = ended.status,
      ended.endedMilliseconds >= ended.startedMilliseconds
    else { return nil }
    return .milliseconds(UInt64(ended.endedMilliseconds - ended.startedMilliseconds))
  }
}

extension RunRecord.Ended {
  fileprivate var hasFailed: Bool { status != .exited(0) }
}

extension RunEnd.Declared {
  fileprivate init(_ look: RemoteSample) {
    self =
      switch PageOutcome(rawValue: look.outcome) {
      case .success: .success
      case .failure: .failure
      case .deferred: .deferred(.seconds(UInt64(look.deferSeconds)))
      case .some(.none), nil: .nothing
      }
  }
}

extension PageSample {
  /// A heartbeat is no report: what is the same as before is told as the same.
  fileprivate init(_ look: RemoteSample, at now: Instant, before: PageSample) {
    self.init()
    completed = look.completed
    total = look.total
    reports = look.reports
    unit = look.unit == PageUnit.bytes.rawValue ? .bytes : .items
    textSequence = look.textSequence
    logBytes = look.logBytes
    guard look.quietMilliseconds > 0 else { return }
    let end = now + .milliseconds(look.quietMilliseconds)
    // The same instant, told by spans, differs by how long these were under way.
    let isSame =
      before.quietUntil > now
      && max(end, before.quietUntil) - min(end, before.quietUntil) < .seconds(20)
    quietUntil = isSame ? before.quietUntil : end
  }
}
