import JobCore
import JobRecognition
import JobRuntime
import JobWire

/// What is seen from outside of an attempt that says nothing in its page, here or where it runs.
struct ProgressObserver {
  /// Nil until somebody wanted to know.
  private var look: LogScanner?
  /// It has used its page: whoever reports is believed, from then on.
  private var hasReported = false

  /// Whether the job's progress is seen only from outside.
  func isWanted(for liveJob: LiveJob) -> Bool {
    !hasReported && liveJob.submission.options.observation.recognition != .none
  }

  /// Adds to a look at the page of a job that says nothing there what its output and its files tell.
  ///
  /// `end`: of an attempt that is over, whether its exit code was 0; `supervisor`: nil where the files are
  /// not to be seen; `started`: when the job began, in nanoseconds since 1970.
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
      // What was shown before is no longer sure.
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
  /// What the core may judge by.
  ///
  /// Progress that was only recognised is a sign of life, and stalls only where a person asked for
  /// that. There, output without progress is what a report is elsewhere.
  func judged(_ origin: ProgressOrigin, _ observation: Observation) -> PageSample {
    guard origin.source != .page else { return self }
    var judged = self
    if observation.canStall { judged.reports = logBytes } else { judged.total = 0 }
    return judged
  }
}
