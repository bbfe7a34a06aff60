import JobCore
import JobWire

/// All jobs as `jobrun watch` knows them, and what keys and lines of the feed bring about.
///
/// A value without I/O: events in, requests out.
struct JobBoard {
  enum Event: Hashable {
    case feed(FeedLine)
    /// A job that ended before the watching began.
    case past(JobObject)
    case refused(WireError)
    case key(UInt8)
    case up, down
    /// Ctrl-C, TERM, or the terminal is gone.
    case leave
    case lost
    case connected
  }

  enum Effect: Hashable {
    case ask(Request)
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

  private(set) var live: [JobNumber: JobObject] = [:]
  private var waiting = WaitingOrder()
  /// Those of the live ones that do not wait.
  private(set) var started: Set<JobNumber> = []
  /// The latest end first.
  private(set) var ended: [JobObject] = []
  /// The job that keys are about; nil until one is chosen: then it is the first.
  private(set) var chosen: JobNumber?
  private(set) var confirmation: Confirmation?
  private(set) var notice: String?
  private(set) var isLost = false
  /// Turns the spinners of jobs that move.
  private(set) var frames: [JobNumber: Int] = [:]
  /// Of running jobs, by which it is noticed that one does not advance.
  private(set) var estimators: [JobNumber: ProgressEstimator] = [:]
  private var steady: [JobNumber: SteadyTime] = [:]
  /// Of running jobs, as it is shown.
  private(set) var timesLeft: [JobNumber: Span] = [:]

  mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .feed(let line): take(line)
    case .past(let job): if job.state == .ended, live[job.number] == nil { remember(job) }
    case .refused(let error): notice = error.message
    case .key(let byte): return takeKey(Character(Unicode.Scalar(byte)))
    case .up: move(-1)
    case .down: move(1)
    case .leave: return [.finish(ExitCode.detached)]
    case .lost: isLost = true
    case .connected: return connected()
    }
    return []
  }

  /// Running, stalled and stopping ones, ascending.
  var active: [JobNumber] { started.sorted() }

  /// In queue order.
  var queued: [JobNumber] { waiting.numbers }

  /// The job that keys are about.
  var selected: JobNumber? { chosen ?? firstOffered }

  func job(_ number: JobNumber) -> JobObject? {
    live[number] ?? ended.first { $0.number == number }
  }

  /// A question first, else whatever is on top.
  private var firstOffered: JobNumber? {
    let active = active
    return active.first { live[$0]?.prompt != nil } ?? active.first ?? waiting.numbers.first
      ?? ended.first?.number
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
      .ask(.history(query)), .ask(.feed(since: nil, progressHertz: Limits.progressHertzUsual)),
    ]
  }

  private mutating func take(_ line: FeedLine) {
    switch line {
    case .snapshot(let job):
      keep(job)
      waiting.takeSnapshot(job)
    case .progress(let job):
      guard live[job.number] != nil else { return }
      keep(job)
      frames[job.number, default: 0] += 1
    case .event(_, _, _, let job): takeEvent(job)
    case .gap: forgetLive()
    }
  }

  /// Takes the counts of what runs, as often as the board is drawn.
  mutating func look(at now: Moment) {
    for number in started {
      guard let progress = live[number]?.progress else { continue }
      let left = progress.eta.map { Span.milliseconds(UInt64(max(0, min($0, 1e12)) * 1000)) }
      timesLeft[number] = steady[number, default: SteadyTime()].take(left)
      estimators[number, default: ProgressEstimator()].update(
        completed: progress.completed, at: now.awake)
    }
  }

  /// A snapshot follows.
  private mutating func forgetLive() {
    live = [:]
    estimators = [:]
    steady = [:]
    timesLeft = [:]
    started = []
    waiting = WaitingOrder()
  }

  private mutating func keep(_ job: JobObject) {
    // The time between two attempts is no pause of either.
    if live[job.number]?.attempt != job.attempt { forgetPace(of: job.number) }
    live[job.number] = job
    if job.state == .queued { started.remove(job.number) } else { started.insert(job.number) }
  }

  private mutating func forgetPace(of number: JobNumber) {
    estimators[number] = nil
    steady[number] = nil
    timesLeft[number] = nil
  }

  private mutating func takeEvent(_ job: JobObject) {
    waiting.take(job)
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

  private mutating func remember(_ job: JobObject) {
    ended.removeAll { $0.number == job.number }
    let place = ended.firstIndex { ($0.ended ?? $0.submitted) < (job.ended ?? job.submitted) }
    ended.insert(job, at: place ?? ended.count)
    if ended.count > Self.endedKept { ended.removeLast() }
  }
}

// MARK: From the person

extension JobBoard {
  private mutating func takeKey(_ key: Character) -> [Effect] {
    notice = nil
    if let confirmation { return answer(confirmation, key) }
    switch key {
    case "q", "Q": return [.finish(ExitCode.success)]
    case "j", "J": move(1)
    case "k", "K": move(-1)
    case "c", "C": askToCancel()
    case "y", "Y": return answerPrompt(continues: true)
    case "n", "N": return answerPrompt(continues: false)
    default: break
    }
    return []
  }

  private mutating func move(_ step: Int) {
    let order = active + waiting.numbers + ended.map(\.number)
    guard !order.isEmpty else { return }
    let place = selected.flatMap(order.firstIndex(of:)) ?? 0
    chosen = order[min(max(0, place + step), order.count - 1)]
  }

  private mutating func askToCancel() {
    guard let selected else {
      notice = "there is no job to cancel"
      return
    }
    guard let job = live[selected] else {
      notice = "job \(selected) has ended already"
      return
    }
    chosen = selected
    confirmation = Confirmation(number: selected, now: job.state == .stopping)
  }

  private mutating func answer(_ asked: Confirmation, _ key: Character) -> [Effect] {
    confirmation = nil
    guard key == "y" || key == "Y" else {
      notice = "job \(asked.number) goes on"
      return []
    }
    return [.ask(.cancel(.number(asked.number), now: asked.now))]
  }

  /// Only of the job that is selected: an answer meant for one must never stop another.
  private mutating func answerPrompt(continues: Bool) -> [Effect] {
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
