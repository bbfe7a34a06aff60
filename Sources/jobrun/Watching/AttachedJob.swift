import JobCore
import JobPage
import JobWire

/// A terminal's side of one job: what is known of it, and what keys, signals and lines bring about.
///
/// A value without I/O: events in, effects out. The loop around it waits, draws and sends.
struct AttachedJob {
  typealias Event = WatchEvent
  typealias Effect = WatchEffect

  /// What is known of the job; starts with what the runner answered.
  private(set) var job: JobStatus
  /// This terminal steers the job and counts as attached; else it only looks.
  let steers: Bool
  /// Whether the time left is shown, so that it is worth asking for.
  var estimates = false
  /// Nobody is shown the runner's lines as they are.
  var isBrief = false
  /// Whether `y` and `n` can be typed.
  var takesKeys = false

  /// Between two questions how long it will take.
  private static let questionsApart = Interval.seconds(1)

  private var estimate = PaceEstimate()
  private var estimateAskedAt: Instant?
  /// The job has moved since the runner was asked.
  private var isEstimateOld = false
  private var watchedAttempt = 0
  private var page: PageSnapshot?
  private var frame = 0
  private var interrupts = 0
  private var isLost = false
  private var hasGreeted = false

  init(_ job: JobStatus, steers: Bool) {
    self.job = job
    self.steers = steers
  }

  var reference: JobReference { .number(job.number) }

  /// Takes one event; `now` is when it happened.
  mutating func handle(_ event: Event, at now: Moment) -> [Effect] {
    switch event {
    case .feed(let line): return receiveLine(line, at: now)
    case .answered(let response, _): return receiveResponse(response, at: now)
    case .refused(let error, let request): return receiveRefusal(error, of: request)
    case .page(let snapshot):
      receive(snapshot, at: now)
      return askForEstimate(at: now.awake)
    case .key(let byte): return receiveKey(byte)
    case .interrupt: return interrupt()
    case .leave: return leave()
    case .lost:
      isLost = true
      return []
    case .connected:
      isLost = false
      return connected()
    case .listed, .clock, .move, .escape: return []
    }
  }

  /// What a terminal shows of all that.
  func model(at now: Moment) -> JobViewModel {
    var model = JobViewModel(job)
    model.elapsed = now.spent(on: job)
    model.pauseLeft = job.pauseLeft(at: now)
    model.rate = estimate.rate
    model.remaining = estimate.remaining(at: now.awake)
    model.unchanged = pause(at: now) ?? job.prompt.map { now.since($0.since) }
    model.grace = page?.stop.map { Instant(nanoseconds: $0.deadline) - now.awake }
    model.frame = frame
    model.takesKeys = takesKeys && steers
    if isLost { model.notice = "runner lost; reconnecting…" }
    return model
  }
}

extension AttachedJob {
  /// How long the job has not advanced, when that is long for it; nil while it is quiet as it said
  /// it would be, or has done all that there is to count.
  private func pause(at now: Moment) -> Interval? {
    guard let progress = job.progress, progress.completed < progress.total || progress.total == 0,
      !isQuiet(at: now)
    else { return nil }
    return estimate.pause(at: now.awake)
  }

  /// The page is quicker than the runner, where it can be read.
  private func isQuiet(at now: Moment) -> Bool {
    guard let page else { return job.isQuiet(at: now.wall) }
    // The runner knows how much of it passed while the job was paused.
    return now.awake.nanoseconds < page.quietUntil
      || page.quietUntil > 0 && job.isQuiet(at: now.wall)
  }
}

// MARK: From the runner

extension AttachedJob {
  private mutating func receiveLine(_ line: FeedLine, at now: Moment) -> [Effect] {
    switch line {
    case .event(_, _, _, let job), .snapshot(let job), .progress(let job):
      guard job.number == self.job.number else { return [] }
      return receive(job, at: now)
    case .brief(let number, let progress):
      guard number == job.number else { return [] }
      var job = job
      job.progress = progress
      return receive(job, at: now)
    case .gap, .dropped: return []
    }
  }

  private mutating func receive(_ job: JobStatus, at now: Moment) -> [Effect] {
    if let seen = job.progress, seen.source != .page,
      seen.completed != self.job.progress?.completed
    {
      frame += 1
    }
    self.job = job
    if job.attempt != watchedAttempt {
      watchedAttempt = job.attempt
      estimate = PaceEstimate()
      page = nil
    }
    if let seen = job.progress { estimate.receive(seen, at: now) }
    if let code = ExitCode.of(job) { return [.finish(code)] }
    return greeting()
  }

  /// Says once that others watch, too.
  private mutating func greeting() -> [Effect] {
    guard steers, !hasGreeted else { return [] }
    hasGreeted = true
    let others = job.attached - 1
    guard others > 0 else { return [] }
    let who = others == 1 ? "another terminal is" : "\(others) other terminals are"
    return [.say("\(who) also attached to job \(job.number)")]
  }

  private mutating func receiveResponse(_ response: Response, at now: Moment) -> [Effect] {
    guard case .job(let job, let message) = response, job.number == self.job.number else {
      return []
    }
    let effects = receive(job, at: now)
    // What is stopping shows that itself.
    guard let message, job.state != .stopping, job.state != .ended else { return effects }
    return [.say(message)] + effects
  }

  private mutating func receiveRefusal(_ error: WireError, of request: Request) -> [Effect] {
    // A job that ended in the meantime is no surprise: its end is on the way.
    if case .follow = request { return [.say(error.message), .finish(error.code.exitCode)] }
    return [.say(error.message)]
  }

  /// A new connection knows nothing of what the old one was told.
  private mutating func connected() -> [Effect] {
    var effects = [Effect.ask(.follow([reference], attach: steers, brief: isBrief))]
    if interrupts > 0 { effects.append(.ask(.cancel(.one(reference), now: interrupts > 1))) }
    return effects
  }

  private mutating func receive(_ snapshot: PageSnapshot, at now: Moment) {
    guard snapshot.condition == .intact else { return }
    if page.map({ $0.completed != snapshot.completed || $0.reports != snapshot.reports })
      ?? false
    {
      frame += 1
    }
    page = snapshot
    if !snapshot.title.isEmpty { job.title = snapshot.title }
    if snapshot.textSequence > 0 { job.subtitle = snapshot.subtitle }
    guard snapshot.total > 0 || snapshot.completed > 0 else { return }
    let before = job.progress
    var progress = JobProgress(
      completed: snapshot.completed, total: snapshot.total,
      unit: snapshot.unit == .bytes ? .bytes : .items)
    progress.changed = before?.changed
    progress.interval = before?.interval
    job.progress = progress
    guard before?.completed != progress.completed || before?.total != progress.total else { return }
    isEstimateOld = true
    if before != nil { estimate.noteChange(at: now.awake) }
  }

  /// This terminal sees a page move sooner than the runner, which knows what steps took: it is asked
  /// when one has ended, and the more seldom the later one is.
  private mutating func askForEstimate(at now: Instant) -> [Effect] {
    let lateness = estimate.lateness(at: now)
    guard estimates, !isLost, job.progress?.source == .page, isEstimateOld || lateness != nil else {
      return []
    }
    let pause = max(Self.questionsApart, isEstimateOld ? .zero : (lateness ?? .zero) / 4)
    if let estimateAskedAt, now - estimateAskedAt < pause { return [] }
    estimateAskedAt = now
    isEstimateOld = false
    return [.ask(.show(reference))]
  }
}

// MARK: From the person

extension AttachedJob {
  private mutating func receiveKey(_ byte: UInt8) -> [Effect] {
    guard steers else { return [] }
    switch Character(Unicode.Scalar(byte)) {
    case "d", "D": return leave()
    case "y", "Y": return answer(continues: true)
    case "n", "N": return answer(continues: false)
    case "p", "P": return [.ask(job.pauseToggle)]
    default: return []
    }
  }

  private func answer(continues: Bool) -> [Effect] {
    guard job.prompt != nil else { return [] }
    let word = continues ? "yes: job \(job.number) continues" : "no: job \(job.number) is stopped"
    return [.say(word), .ask(.answer(reference, continues: continues))]
  }

  private mutating func interrupt() -> [Effect] {
    guard steers else { return leave() }
    interrupts += 1
    let isSecond = interrupts > 1
    var effects: [Effect] = isLost ? [] : [.ask(.cancel(.one(reference), now: isSecond))]
    if interrupts == 1 {
      effects.append(.say("cancelling job \(job.number); Ctrl-C again kills it now"))
    } else if interrupts == 2 {
      effects.append(.say("killing job \(job.number) now"))
    }
    return effects
  }

  private func leave() -> [Effect] {
    [
      .say("job \(job.number) keeps running; watch it with jobrun attach \(job.number)"),
      .finish(ExitCode.detached),
    ]
  }
}
