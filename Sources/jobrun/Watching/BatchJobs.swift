import JobCore
import JobWire

/// A terminal's side of many jobs, of one submission or of a group: how many have ended and how, and what
/// keys, signals and lines bring about.
///
/// A value without I/O: events in, effects out. The loop around it waits, draws and sends.
struct BatchJobs {
  typealias Event = WatchEvent
  typealias Effect = WatchEffect

  let title: String
  /// Which jobs these are.
  let meant: JobSelection
  /// Ctrl-C cancels what is left; else it only ends the watching.
  let steers: Bool
  /// When the runner cancels what is left.
  let halts: Halt
  /// Whether one success was enough (`--until-success`) and came, of jobs that another command submitted: known
  /// once all have ended.
  var isReached = false
  private(set) var tally: JobTally
  /// The answer to `Request.followMany` is on its way.
  private var isAsked = false
  /// Why that was refused, and when it is asked again.
  private var refusal: (message: String, askAgain: Instant)?
  /// Those that have ended, too; of a group, those that were submitted meanwhile.
  private(set) var total: Int
  /// How far those are that run and have told it.
  private var fractions: [JobNumber: Double] = [:]
  /// Whether it is known how many there are.
  private var isCounted = false
  /// Whether all had ended before the first look.
  private var wasOver = false
  private var estimator = ProgressEstimator()
  private var interrupts = 0
  private var hasHalted = false
  private var isLost = false
  private let began: Moment

  init(
    _ title: String, _ meant: JobSelection, halts: Halt = .never, steers: Bool = true,
    at now: Moment
  ) {
    self.title = title
    self.meant = meant
    self.halts = halts
    self.steers = steers
    began = now
    // How many a group has is told with the first tally.
    if case .range(let range) = meant {
      (total, isCounted) = (range.count, true)
    } else {
      total = 0
    }
    tally = JobTally(live: total)
  }

  var ended: Int { total - tally.live }
  /// The runner has answered how they are.
  private(set) var isAnswered = false
  var succeeded: Int { tally.succeeded }
  /// Those that have ended and of which nobody knows how: too old to be kept, or lost with the store.
  var unknown: Int { max(0, ended - tally.succeeded - tally.failed - tally.cancelled) }

  mutating func handle(_ event: Event, at now: Moment) -> [Effect] {
    switch event {
    case .answered(.tally(let tally), _):
      (isAsked, refusal, isAnswered) = (false, nil, true)
      take(tally)
      estimator.update(completed: thousandths, at: now.awake)
      return halt() + (self.tally.live <= 0 ? [.finish(code)] : [])
    case .refused(let error, let request): return receive(error, of: request, at: now)
    case .clock:
      guard let refusal, now.awake >= refusal.askAgain else { return [] }
      return ask()
    case .feed(let line): return receive(line, at: now)
    case .key(UInt8(ascii: "d")), .key(UInt8(ascii: "D")), .leave: return leave()
    case .key, .answered, .listed, .page, .move, .escape: return []
    case .interrupt: return steers ? interrupt() : leave()
    case .lost:
      (isLost, isAsked, refusal) = (true, false, nil)
      return []
    case .connected:
      isLost = false
      var effects = ask()
      if interrupts > 0 {
        effects.append(.ask(.cancel(.some(meant), now: interrupts > 1)))
      }
      return effects
    }
  }

  /// Asks how they are, once until that is answered.
  private mutating func ask() -> [Effect] {
    guard !isAsked else { return [] }
    isAsked = true
    return [.ask(.followMany(meant))]
  }

  /// Without their events nobody would ever hear of their ends: they are asked for again.
  private mutating func receive(
    _ error: WireError, of request: Request, at now: Moment
  ) -> [Effect] {
    guard case .followMany = request else { return [.say(error.message)] }
    let isKnown = refusal?.message == error.message
    (isAsked, refusal) = (false, (error.message, now.awake + .seconds(1)))
    return isKnown ? [] : [.say(error.message)]
  }

  /// What was seen here is not forgotten because the runner no longer keeps it.
  private mutating func take(_ latest: JobTally) {
    let seen = tally
    tally = latest
    if !isCounted { wasOver = latest.live <= 0 }
    isCounted = true
    fractions = fractions.filter { latest.running.contains($0.key) }
    if case .group = meant {
      total = latest.live + latest.succeeded + latest.failed + latest.cancelled
    }
    if tally.firstFailed == seen.firstFailed { tally.exitCode = tally.exitCode ?? seen.exitCode }
    guard unknown > 0 else { return }
    tally.succeeded = max(tally.succeeded, seen.succeeded)
    tally.failed = max(tally.failed, seen.failed)
    tally.cancelled = max(tally.cancelled, seen.cancelled)
    if let first = seen.firstFailed, tally.firstFailed.map({ first < $0 }) ?? true {
      (tally.firstFailed, tally.exitCode) = (first, seen.exitCode)
    }
  }

  private mutating func receive(_ line: FeedLine, at now: Moment) -> [Effect] {
    switch line {
    case .gap: return ask()
    case .snapshot, .brief, .dropped: return []
    case .progress(let job):
      if contains(job), tally.running.contains(job.number) {
        fractions[job.number] = job.progress?.fraction
      }
      return []
    case .event(_, _, let kind, let job):
      guard isCounted, contains(job) else { return [] }
      switch kind {
      case .submitted:
        if case .group = meant { (total, tally.live) = (total + 1, tally.live + 1) }
        return []
      case .launched: tally.running.insert(job.number)
      case .queued: leaveRunning(job)
      case .ended: count(job)
      case .started, .stalled, .prompt, .answered, .advanced, .warned, .stopping,
        .paused, .resumed, .held, .released, .moved, .edited:
        return []
      }
      estimator.update(completed: thousandths, at: now.awake)
      // One that was begun anew may have been counted twice: only the runner knows that all have ended.
      return halt() + (tally.live <= 0 ? ask() : [])
    }
  }

  /// Says once why what is left is cancelled.
  private mutating func halt() -> [Effect] {
    guard !hasHalted, tally.live > 0 else { return [] }
    let why: String
    switch halts {
    case .never: return []
    case .failures(1):
      guard let first = tally.firstFailed else { return [] }
      why = "job \(first) failed"
    case .failures(let most):
      guard tally.failed >= most else { return [] }
      why = "\(most) jobs failed"
    case .success:
      guard tally.succeeded > 0 else { return [] }
      why = "one has succeeded"
    }
    hasHalted = true
    return [.say("\(why); the rest of \(title) is cancelled")]
  }

  private func contains(_ job: JobStatus) -> Bool {
    meant.contains(job.number, of: job.terms.group.flatMap { GroupName($0) })
  }

  private mutating func leaveRunning(_ job: JobStatus) {
    tally.running.remove(job.number)
    fractions[job.number] = nil
  }

  private mutating func count(_ job: JobStatus) {
    leaveRunning(job)
    tally.live -= 1
    switch job.outcome {
    case .succeeded: tally.succeeded += 1
    case nil: return
    case .cancelled: tally.cancelled += 1
    case .failed, .expired, .interrupted, .refused:
      tally.failed += 1
      if tally.firstFailed.map({ job.number < $0 }) ?? true {
        (tally.firstFailed, tally.exitCode) = (job.number, ExitCode.of(job))
      }
    }
  }

  /// That of the first that failed, as far as it is known.
  private var code: Int32 {
    if hasReachedGoal { return ExitCode.success }
    if tally.firstFailed != nil { return tally.exitCode ?? ExitCode.failed }
    if unknown > 0, interrupts == 0 { return ExitCode.failed }
    return tally.cancelled + unknown > 0 ? ExitCode.cancelled : ExitCode.success
  }

  /// One success was wanted, and there it is: what became of the others does not matter.
  private var hasReachedGoal: Bool { isReached || halts == .success && succeeded > 0 }

  private mutating func interrupt() -> [Effect] {
    interrupts += 1
    let left = words(tally.live)
    let sentence: String? =
      switch interrupts {
      case 1: "cancelling the rest of \(title), \(left); Ctrl-C again kills it now"
      case 2: "killing the rest of \(title) now"
      default: nil
      }
    return (isLost ? [] : [.ask(.cancel(.some(meant), now: interrupts > 1))])
      + (sentence.map { [.say($0)] } ?? [])
  }

  private func leave() -> [Effect] {
    let place =
      switch meant {
      case .range(let range): "\(range.first)-\(range.last)"
      case .group(let group): "group:\(group)"
      }
    return [
      .say("\(title) keeps running; watch it with jobrun attach \(place)"),
      .finish(ExitCode.detached),
    ]
  }

  /// How far all of them are together, in thousandths of a job.
  private var thousandths: UInt64 {
    UInt64(ended) * 1_000 + UInt64(fractions.values.reduce(0, +) * 1_000)
  }

  /// What a terminal shows of all that: one line, as of a job.
  func model(at now: Moment) -> JobViewModel {
    var job = JobStatus(
      number: JobNumber(0), identifier: "", title: title, submitted: began.wall, log: "",
      stateDirectory: "")
    job.state = .running
    var progress = JobProgress(completed: UInt64(ended), total: UInt64(total))
    if total > 0 { progress.fraction = Double(thousandths) / Double(total * 1_000) }
    job.progress = progress
    var model = JobViewModel(job)
    model.elapsed = now.since(began.wall)
    model.tally = .init(
      running: tally.running.count, waiting: tally.live - tally.running.count,
      failed: tally.failed, cancelled: tally.cancelled)
    model.remaining = estimator.remaining(
      total: UInt64(total) * 1_000, at: now.awake, expected: nil, elapsed: model.elapsed)
    model.notice = isLost ? "runner lost; reconnecting…" : refusal?.message
    return model
  }

  /// The last words: `✗ Render: 2 failed (first: job 4), 2 succeeded, in 2.0 s`.
  func conclusion(at now: Moment) -> String {
    var parts: [String] = []
    if tally.failed > 0 {
      let first = tally.firstFailed.map { " (first: job \($0))" } ?? ""
      parts.append("\(QuantityText.grouped(tally.failed)) failed\(first)")
    }
    if succeeded > 0 || ended == 0 { parts.append("\(QuantityText.grouped(succeeded)) succeeded") }
    if tally.cancelled > 0 { parts.append("\(QuantityText.grouped(tally.cancelled)) cancelled") }
    if unknown > 0 { parts.append("\(QuantityText.grouped(unknown)) unknown") }
    let mark =
      hasReachedGoal ? "✓" : tally.failed > 0 ? "✗" : tally.cancelled + unknown > 0 ? "■" : "✓"
    let words = "\(mark) \(title): \(parts.joined(separator: ", "))"
    if wasOver { return words }
    let seconds = Double(now.since(began.wall).milliseconds) / 1_000
    let comma = parts.count > 1 ? "," : ""
    return "\(words)\(comma) in \(QuantityText.length(seconds))"
  }

  private func words(_ count: Int) -> String {
    count == 1 ? "one job" : "\(QuantityText.grouped(count)) jobs"
  }
}

extension BatchJobs {
  /// What lets the runner cancel what is left.
  enum Halt: Hashable {
    case never
    /// So many that fail.
    case failures(Int)
    /// One that succeeds.
    case success

    init(_ options: Submission.Options) {
      self =
        !options.halts
        ? .never : options.haltsOnSuccess ? .success : .failures(options.haltAfter)
    }
  }
}
