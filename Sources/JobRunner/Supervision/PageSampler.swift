import JobCore
import JobPage
import JobRecognition
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

/// Samples attempts: their pages, and the observed progress of those that report none.
final class PageSampler {
  private let paths: Paths
  private let runtime: JobRuntime
  private let store: Store
  /// Counts the looks that showed something new.
  private(set) var lastLook: UInt64 = 0

  init(_ paths: Paths, runtime: JobRuntime, store: Store) {
    self.paths = paths
    self.runtime = runtime
    self.store = store
  }

  /// Samples the job's page and log.
  func sample(_ live: Attempt) {
    let number = live.number
    guard var liveJob = runtime.jobs[number] else { return }
    let page = live.page()
    var sample = PageSample(page)
    sample.logBytes = ((try? File.status(paths.log(number))) ?? nil)?.size ?? 0
    let source = liveJob.origin.source
    live.observer.observe(
      &sample, &liveJob, log: paths.log(number), end: live.end, below: live.supervisorPID,
      started: { Self.started(live, $0) })
    // A pace in other units, or from another source, does not apply.
    if sample.unit != liveJob.sample.unit || source != liveJob.origin.source {
      liveJob.forgetPace()
    }
    if sample.total > 0, let usual = liveJob.recallEarlierRuns(from: store, for: sample) {
      runtime.inbox.append(.expected(number, usual))
    }
    let before = (
      liveJob.sample.textSequence, liveJob.sample.quietUntil, liveJob.warning, liveJob.workerPID,
      liveJob.message
    )
    let wallNow = WallTime.now()
    let hasMoved = liveJob.apply(sample, at: .now(), wallNow)
    trace(live, liveJob, live.end == nil ? nil : .ended, at: wallNow)
    let unstarted = liveJob.state == .launching ? liveJob.warning : nil
    liveJob.warning = page.condition.warning ?? live.unreached ?? unstarted
    if live.end == nil, !page.message.isEmpty { liveJob.message = page.message }
    correctWorker(of: live, &liveJob)
    let hasSpoken =
      before
      != (
        sample.textSequence, sample.quietUntil, liveJob.warning, liveJob.workerPID, liveJob.message
      )
    note(&liveJob, hasMoved: hasMoved, hasSpoken: hasSpoken)
    runtime.jobs[number] = liveJob
    runtime.texts[number] = PageText(page)
    runtime.inbox.append(
      .sampled(number, sample.judged(liveJob.origin, liveJob.submission.options.observation)))
  }

  /// Records its progress or an event in its trace.
  func trace(
    _ live: Attempt, _ liveJob: LiveJob, _ mark: ProgressTrace.Mark?, at now: WallTime = .now()
  ) {
    trace(in: &live.trace, live.number, attempt: live.attempt, liveJob, mark, at: now)
  }

  func trace(
    in file: inout TraceFile?, _ number: JobNumber, attempt: Int, _ liveJob: LiveJob,
    _ mark: ProgressTrace.Mark?, at now: WallTime = .now()
  ) {
    let hasProgress = liveJob.sample.total > 0 || liveJob.sample.completed > 0
    // Pictures show when a job stood still, whether it tells progress or not.
    let standsStill = mark == .paused || mark == .stalled
    let isMarked = !hasProgress && mark != nil && (file != nil || File.exists(paths.trace(number)))
    guard hasProgress || standsStill || isMarked, let started = liveJob.startedAt else {
      file?.evidence.add(liveJob, attempt: attempt, at: now)
      return
    }
    // An earlier attempt's curve is continued, however short this one is.
    guard
      file != nil || standsStill || isMarked || now - started >= ProgressTrace.shortest
        || attempt > 1 && File.exists(paths.trace(number))
    else { return }
    if file == nil {
      file = TraceFile(
        path: paths.trace(number), evidence: EvidenceFile(path: paths.evidence(number)))
    }
    file?.evidence.add(liveJob, attempt: attempt, at: now)
    file?.add(
      ProgressTrace.Point(
        at: now, attempt: attempt, completed: liveJob.sample.completed,
        total: liveJob.sample.total, unit: liveJob.sample.unit, mark: mark))
  }

  /// Counts a look that showed something new.
  func note(_ liveJob: inout LiveJob, hasMoved: Bool, hasSpoken: Bool) {
    guard hasMoved || hasSpoken else { return }
    lastLook += 1
    liveJob.look.moved = lastLook
    if hasSpoken { liveJob.look.spoke = lastLook }
  }

  /// After a retried start the worker's process is another than first reported.
  private func correctWorker(of live: Attempt, _ liveJob: inout LiveJob) {
    guard live.end == nil, let pid = liveJob.workerPID, !ProcessStatus.exists(pid),
      liveJob.host == nil,
      case .record(let record)? = try? RunRecordFile.content(of: live.recordPath),
      let worker = record.started?.worker
    else { return }
    liveJob.workerPID = worker.pid
  }

  /// When the job's first attempt began, at the latest: its supervisor writes the run record just before
  /// the worker can do anything, and the kernel dates both by the same clock.
  private static func started(_ live: Attempt, _ liveJob: LiveJob) -> Int64 {
    let recorded = ((try? File.status(live.recordPath)) ?? nil)?.modifiedNanoseconds ?? .max
    let (known, overflow) = (liveJob.startedAt ?? liveJob.submittedAt).milliseconds
      .multipliedReportingOverflow(by: 1_000_000)
    return overflow ? recorded : min(recorded, known)
  }

  /// Whether the job's progress is seen only from here.
  func isObserved(_ live: Attempt) -> Bool {
    runtime.jobs[live.number].map { live.observer.isWanted(for: $0) } ?? false
  }

  /// The error message at the end of a failed attempt's output; nil if there is none.
  func failureMessage(of number: JobNumber) -> String? {
    guard let liveJob = runtime.jobs[number], !liveJob.isStopping,
      let log = try? File.open(paths.log(number), [.read, .nonblocking]),
      let size = try? log.size()
    else { return nil }
    let start = size - min(size, UInt64(Self.messageBytes))
    return ErrorLine.last(in: (try? log.read(at: start, maximum: Self.messageBytes)) ?? [])
      .map { AddressLogin.hidden(in: $0) }
  }

  /// The number of bytes at the end of a log that are searched for an error.
  private static let messageBytes = 16 * 1024
}

extension PageSample {
  /// The worker's texts on a page.
  fileprivate init(_ page: PageSnapshot) {
    self.init()
    completed = page.completed
    total = page.total
    reports = page.reports
    unit = page.unit == .bytes ? .bytes : .items
    textSequence = page.textSequence
    quietUntil = Instant(nanoseconds: page.quietUntil)
  }
}

extension PageText {
  fileprivate init(_ page: PageSnapshot) {
    self.init()
    title = page.title.isEmpty ? nil : page.title
    subtitle = page.subtitle.isEmpty ? nil : page.subtitle
  }
}

extension PageSnapshot.Condition {
  /// The problem with the page, in a sentence; nil without one.
  fileprivate var warning: String? {
    switch self {
    case .intact: nil
    case .truncated: "the job truncated its page; its progress is unknown"
    case .garbage: "the job wrote invalid data to its page; its progress is unknown"
    case .unreadable: "the job's page is gone; its progress is unknown"
    }
  }
}
