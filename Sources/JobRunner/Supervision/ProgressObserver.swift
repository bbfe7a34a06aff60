import JobCore
import JobRecognition
import JobRuntime
import JobWire

/// The observed progress of an attempt that does not use its page, here or on an engine.
struct ProgressObserver {
  /// Nil until a client asks for it.
  private var look: LogScanner?
  /// Whether it has used its page: from then on only its own reports count.
  private var hasReported = false

  /// Whether the job's progress is seen only from outside.
  func isWanted(for liveJob: LiveJob) -> Bool {
    !hasReported && liveJob.submission.options.observation.recognition != .none
  }

  /// Adds progress from output and files to a sample of a job that does not use its page.
  ///
  /// `end`: for an attempt that is over, whether its exit code was 0; `supervisor`: nil if the files cannot be
  /// observed; `started`: when the job began, in nanoseconds since 1970.
  mutating func observe(
    _ sample: inout PageSample, _ liveJob: inout LiveJob, log: String, end: Bool?,
    below supervisor: Int32?, started: (LiveJob) -> Int64
  ) {
    guard liveJob.submission.options.observation.recognition != .none else { return }
    if sample.total > 0 || sample.completed > 0 || sample.reports > 0 {
      hasReported = true
      liveJob.origin = ProgressOrigin()
    }
    guard !hasReported else { return }
    if look == nil {
      look = LogScanner(
        liveJob.submission.options.observation, command: liveJob.details.executed?.command ?? [],
        startedNanoseconds: started(liveJob))
    }
    if let end {
      look?.conclude(log: log, well: end && !liveJob.isStopping, at: liveJob.ownTime(.now()))
    } else {
      look?.look(log: log, below: supervisor, at: liveJob.ownTime(.now()))
    }
    guard let finding = look?.finding else {
      // The value shown before is no longer certain.
      liveJob.origin = ProgressOrigin()
      return
    }
    sample.completed = finding.counts.completed
    sample.total = finding.counts.total
    sample.unit = finding.counts.unit
    liveJob.origin = ProgressOrigin(finding)
  }
}

extension ProgressOrigin {
  fileprivate init(_ finding: Finding) {
    self.init()
    source = JobProgress.Source(rawValue: finding.source.rawValue) ?? .output
    recogniser = finding.recogniser
    note = finding.note
    line = finding.line
    isPart = finding.isPart
  }
}

extension PageSample {
  /// The sample for the core's verdicts.
  ///
  /// Recognised progress is a sign of life, and stalls only if a person asked for that. In that case, output
  /// without progress counts as a report.
  func judged(_ origin: ProgressOrigin, _ observation: Observation) -> PageSample {
    guard origin.source != .page else { return self }
    var judged = self
    if observation.canStall { judged.reports = logBytes } else { judged.total = 0 }
    return judged
  }
}
