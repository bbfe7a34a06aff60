import JobCore
import JobWire

/// All jobs as `jobrun watch` knows them, and what keys and lines of the feed bring about.
///
/// A value without I/O: events in, requests out.
struct JobBoard {
  enum Event: Hashable {
    case feed(FeedLine)
    /// A job that ended before the watching began.
    case past(JobStatus)
    case refused(WireError)
    /// A job as it is now, which was asked for.
    case answered(JobStatus)
    case key(UInt8)
    case move(KeyMove)
    case escape
    /// Ctrl-C, TERM, or the terminal is gone.
    case leave
    case lost
    case connected
  }

  enum Effect: Hashable {
    case ask(Request)
    /// This job alone is watched for a while.
    case attach(JobNumber)
    /// The watching is over, with this exit code.
    case finish(Int32)
  }

  /// What a person is asked before a job is stopped.
  struct Confirmation: Hashable {
    var number: JobNumber
    /// It is stopping already: kill it.
    var now: Bool
  }

  /// Ended jobs that are remembered.
  static let endedKept = 50

  private(set) var live: [JobNumber: JobStatus] = [:]
  private var waiting = WaitingOrder()
  /// Those of the live ones that do not wait.
  private(set) var started: Set<JobNumber> = []
  /// The latest end first.
  private(set) var ended: [JobStatus] = []
  /// The job that keys are about; nil until one is chosen: then it is the first.
  var chosen: JobNumber?
  var confirmation: Confirmation?
  var notice: String?
  var pane = BoardPane.jobs
  var filter = BoardFilter()
  /// Lines of the log that stand below those on the screen.
  var linesBelow = 0
  /// What PgUp and PgDn move by.
  private(set) var pageRows = 1
  private(set) var isLost = false
  /// Turns the spinners of jobs that move.
  private(set) var frames: [JobNumber: Int] = [:]
  /// Of running jobs.
  private(set) var outlooks: [JobNumber: PaceEstimate] = [:]
  /// What the outlooks were made of.
  private var toldProgress: [JobNumber: JobProgress] = [:]
  private var steady: [JobNumber: SteadyTime] = [:]
  /// When what keeps jobs waiting was asked for, and whether that has changed since.
  private var reasonsAskedAt: Instant?
  private var areReasonsOld = false
  /// Of running jobs, as it is shown.
  private(set) var timesLeft: [JobNumber: Interval] = [:]

  mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .feed(let line): receive(line)
    case .past(let job): if job.state == .ended, live[job.number] == nil { remember(job) }
    case .refused(let error): notice = error.message
    case .answered(let job): receiveAnswer(job)
    case .key(let byte): return receiveKey(byte)
    case .move(let step): move(step)
    case .escape: escape()
    case .leave: return [.finish(ExitCode.detached)]
    case .lost: isLost = true
    case .connected: return connected()
    }
    return []
  }

  /// Running, stalled and stopping ones, ascending; of these and the others only those that the filter
  /// lets through.
  var active: [JobNumber] { filtered(started.sorted()) }

  /// In queue order.
  var queued: [JobNumber] { filtered(waiting.numbers) }

  /// The latest end first.
  var past: [JobStatus] { filter.isEmpty ? ended : ended.filter(matches) }

  /// The job that keys are about.
  var selected: JobNumber? {
    guard let chosen, filter.isEmpty || job(chosen).map(matches) ?? false else {
      return firstOffered
    }
    return chosen
  }

  func job(_ number: JobNumber) -> JobStatus? {
    live[number] ?? ended.first { $0.number == number }
  }

  /// A question first, else whatever is on top.
  private var firstOffered: JobNumber? {
    let active = active
    return active.first { live[$0]?.prompt != nil } ?? active.first ?? queued.first
      ?? past.first?.number
  }

  private func filtered(_ numbers: [JobNumber]) -> [JobNumber] {
    filter.isEmpty ? numbers : numbers.filter { live[$0].map(matches) ?? false }
  }

  private func matches(_ job: JobStatus) -> Bool {
    filter.matches([job.title, job.definition, job.identifier, "\(job.number)"])
  }
}

// MARK: From the runner

extension JobBoard {
  private mutating func connected() -> [Effect] {
    isLost = false
    forgetLive()
    var query = HistoryQuery()
    query.limit = Self.endedKept
    return [
      .ask(.history(query)),
      .ask(.feed(since: nil, progressHertz: Limits.progressHertzUsual, brief: true)),
    ]
  }

  private mutating func receive(_ line: FeedLine) {
    switch line {
    case .snapshot(let job):
      keep(job)
      waiting.receiveSnapshot(job)
    case .progress(let job):
      guard live[job.number] != nil else { return }
      keep(job)
      frames[job.number, default: 0] += 1
    case .brief(let number, let progress):
      guard live[number] != nil else { return }
      live[number]?.progress = progress
      frames[number, default: 0] += 1
    case .event(_, _, _, let job): receiveEvent(job)
    case .gap: forgetLive()
    case .dropped: break
    }
  }

  /// Between two questions what jobs wait for, when nothing is known to have changed.
  static let reasonsEvery = Interval.seconds(5)
  private static let reasonsApart = Interval.seconds(1)

  /// Brings the times left up to date, as often as the board is drawn with `rows` rows; what to ask.
  mutating func look(at now: Moment, rows: Int = 24) -> [Effect] {
    pageRows = max(1, rows - 4)
    for number in started {
      guard let progress = live[number]?.progress else { continue }
      if toldProgress[number] != progress {
        toldProgress[number] = progress
        outlooks[number, default: PaceEstimate()].receive(progress, at: now)
      }
      timesLeft[number] =
        steady[number, default: SteadyTime()].receive(outlooks[number]?.remaining(at: now.awake))
    }
    return askForReasons(at: now.awake, rows: rows)
  }

  /// Who has what the others wait for changes with every start and end, and is told of none but the
  /// first in line: those that can be seen are asked for.
  private mutating func askForReasons(at now: Instant, rows: Int) -> [Effect] {
    guard !isLost, pane == .jobs else { return [] }
    if !areReasonsOld, reasonsAskedAt == nil { reasonsAskedAt = now }
    let pause = areReasonsOld ? Self.reasonsApart : Self.reasonsEvery
    if let reasonsAskedAt, now - reasonsAskedAt < pause { return [] }
    let seen = queued.prefix(rows)
    guard !seen.isEmpty else { return [] }
    reasonsAskedAt = now
    areReasonsOld = false
    return seen.map { .ask(.show(.number($0))) }
  }

  private mutating func receiveAnswer(_ job: JobStatus) {
    guard live[job.number]?.state == .queued, job.state == .queued else { return }
    live[job.number] = job
  }

  /// A snapshot follows.
  private mutating func forgetLive() {
    live = [:]
    outlooks = [:]
    toldProgress = [:]
    steady = [:]
    timesLeft = [:]
    started = []
    waiting = WaitingOrder()
  }

  private mutating func keep(_ job: JobStatus) {
    // The time between two attempts is no pause of either.
    if live[job.number]?.attempt != job.attempt { forgetPace(of: job.number) }
    live[job.number] = job
    if job.state == .queued { started.remove(job.number) } else { started.insert(job.number) }
  }

  private mutating func forgetPace(of number: JobNumber) {
    outlooks[number] = nil
    toldProgress[number] = nil
    steady[number] = nil
    timesLeft[number] = nil
  }

  private mutating func receiveEvent(_ job: JobStatus) {
    waiting.receive(job)
    areReasonsOld = true
    if job.state == .ended {
      live[job.number] = nil
      started.remove(job.number)
      frames[job.number] = nil
      forgetPace(of: job.number)
      if confirmation?.number == job.number { confirmation = nil }
      remember(job)
    } else {
      keep(job)
      ended.removeAll { $0.number == job.number }
    }
  }

  private mutating func remember(_ job: JobStatus) {
    ended.removeAll { $0.number == job.number }
    let place = ended.firstIndex { ($0.ended ?? $0.submitted) < (job.ended ?? job.submitted) }
    ended.insert(job, at: place ?? ended.count)
    if ended.count > Self.endedKept { ended.removeLast() }
  }
}

// MARK: From the person

extension JobBoard {
  mutating func answer(_ asked: Confirmation, _ key: Character) -> [Effect] {
    confirmation = nil
    guard key == "y" || key == "Y" else {
      notice = "job \(asked.number) goes on"
      return []
    }
    return [.ask(.cancel(.number(asked.number), now: asked.now))]
  }

  /// Only of the job that is selected: an answer meant for one must never stop another.
  mutating func answerPrompt(continues: Bool) -> [Effect] {
    if let selected, live[selected]?.prompt != nil {
      chosen = selected
      notice = "job \(selected) \(continues ? "goes on" : "is stopped")"
      return [.ask(.answer(.number(selected), continues: continues))]
    }
    if let asking = active.first(where: { live[$0]?.prompt != nil }) {
      chosen = asking
      notice = "job \(asking) asks; y or n now answers it"
    } else {
      notice = "no job asks anything"
    }
    return []
  }
}
