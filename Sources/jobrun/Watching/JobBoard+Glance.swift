import JobCore
import JobWire

extension JobBoard {
  /// What a terminal of `rows` rows could show of all that.
  func glance(at now: Moment, rows: Int, takesKeys: Bool) -> BoardViewModel {
    let selected = selected
    var glance = BoardViewModel()
    glance.selected = selected
    glance.takesKeys = takesKeys
    glance.isLost = isLost
    glance.notice = notice
    glance.confirmation = confirmation.flatMap { asked in
      live[asked.number].map { .init(job: $0, now: asked.now) }
    }
    glance.active = .init(active, around: selected, rows: rows) { jobGlance($0, at: now) }
    glance.queued = .init(queued, around: selected, rows: rows) { number in
      jobGlance(number, at: now)
    }
    for index in glance.queued.jobs.indices where glance.queued.jobs[index].job.isInLine {
      glance.queued.jobs[index].job.position = glance.queued.first + index + 1
    }
    glance.pane = pane
    glance.filter = filter
    glance.ended = .init(past.map { $0.number }, around: selected, rows: rows) { number in
      job(number).map { JobViewModel($0) }
    }
    glance.asking = started.count { live[$0]?.prompt != nil }
    return glance
  }

  private func jobGlance(_ number: JobNumber, at now: Moment) -> JobViewModel? {
    guard let job = live[number] else { return nil }
    var glance = JobViewModel(job)
    glance.elapsed = now.spent(on: job)
    glance.rate = outlooks[number]?.rate
    glance.remaining = timesLeft[number]
    glance.unchanged = pause(of: job, at: now) ?? job.prompt.map { now.since($0.since) }
    glance.frame = frames[number] ?? 0
    glance.takesKeys = number == selected
    return glance
  }
}

extension JobBoard {
  private func pause(of job: JobStatus, at now: Moment) -> Interval? {
    guard let progress = job.progress, progress.completed < progress.total || progress.total == 0,
      !job.isQuiet(at: now.wall)
    else { return nil }
    return outlooks[job.number]?.pause(at: now.awake)
  }
}

extension JobStatus {
  /// Whether it has a place in the queue; what waits for a time or for other jobs has none.
  fileprivate var isInLine: Bool {
    switch pendingReason?.code {
    case .notBefore, .after, .retry, .held, .budget, .engine: false
    case .slots, .gpu, .memory, .network, .power, .paused, .settings, nil: true
    }
  }
}

/// All that `jobrun watch` shows at one instant; a value, so that what is drawn can be tested.
struct BoardViewModel: Hashable, Sendable {
  /// One kind of jobs, as many of them as may be seen.
  struct Section: Hashable, Sendable {
    /// All there are.
    var count = 0
    /// How many stand before those at hand.
    var first = 0
    var jobs: [JobViewModel] = []
  }

  /// A person is asked whether this job is to be stopped, or killed at once.
  struct Confirmation: Hashable, Sendable {
    var job: JobStatus
    var now: Bool
  }

  var pane = BoardPane.jobs
  var filter = BoardFilter()
  /// The end of the log that is shown, and how many of its lines stand below the screen.
  var log: [String] = []
  var linesBelow = 0
  var active = Section()
  var queued = Section()
  var ended = Section()
  /// Jobs with an open question.
  var asking = 0
  var selected: JobNumber?
  var takesKeys = false
  var isLost = false
  var confirmation: Confirmation?
  /// What was done, or why it was not.
  var notice: String?
}

extension BoardViewModel.Section {
  /// At most `rows` of `numbers`, the selected one among them if it is one of these.
  init(
    _ numbers: [JobNumber], around selected: JobNumber?, rows: Int,
    glance: (JobNumber) -> JobViewModel?
  ) {
    let place = selected.flatMap { numbers.firstIndex(of: $0) } ?? 0
    count = numbers.count
    first = max(0, min(place - rows / 2, numbers.count - rows))
    jobs = numbers.dropFirst(first).prefix(rows).compactMap(glance)
  }
}
