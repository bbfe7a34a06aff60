import JobCore
import JobRecognition
import JobRuntime
import JobWire
import LinuxSystem

extension Runner {
  /// Adds to a look at the page of a job that says nothing there what is seen of it from outside.
  func observe(_ sample: inout PageSample, of live: Attempt, _ card: inout LiveJob) {
    guard card.submission.observation.recognition != .none else { return }
    // Whoever reports is believed, from then on.
    if sample.total > 0 || sample.completed > 0 || sample.reports > 0 {
      live.hasReported = true
      card.origin = ProgressOrigin()
    }
    guard !live.hasReported else { return }
    var look =
      live.progress
      ?? ProgressLook(
        card.submission.observation, startedNanoseconds: Self.started(live, card))
    if let end = live.end {
      look?.conclude(log: home.places.log(live.number), well: end && !card.isStopping, at: clock())
    } else {
      look?.look(
        log: home.places.log(live.number), below: live.supervisorPID, at: clock())
    }
    live.progress = look
    guard let finding = look?.finding else {
      // What was shown before is no longer sure.
      card.origin = ProgressOrigin()
      return
    }
    sample.completed = finding.counts.completed
    sample.total = finding.counts.total
    sample.unit = finding.counts.unit
    card.origin = ProgressOrigin(finding)
  }

  /// When the job's first attempt began, at the latest: its supervisor writes the run record just before
  /// the worker can do anything, and the kernel dates both by the same clock.
  private static func started(_ live: Attempt, _ card: LiveJob) -> Int64 {
    let recorded = ((try? File.status(live.recordPath)) ?? nil)?.modifiedNanoseconds ?? .max
    let (known, overflow) = (card.startedAt ?? card.submittedAt).milliseconds
      .multipliedReportingOverflow(by: 1_000_000)
    return overflow ? recorded : min(recorded, known)
  }

  /// Whether the job's progress is seen only from here.
  func isObserved(_ number: JobNumber) -> Bool {
    guard let live = attempts[number], let card = cards[number] else { return false }
    return !live.hasReported && card.submission.observation.recognition != .none
  }

  /// What the end of a failed attempt's output says went wrong; nil when nothing does.
  func failureMessage(of live: Attempt) -> String? {
    guard let card = cards[live.number], !card.isStopping,
      let log = try? File.open(home.places.log(live.number), [.read, .nonblocking]),
      let size = try? log.size()
    else { return nil }
    let start = size - min(size, UInt64(Self.messageBytes))
    return ErrorLine.last(in: (try? log.read(at: start, maximum: Self.messageBytes)) ?? [])
  }

  /// How much of the end of a log is looked through for an error.
  private static let messageBytes = 16 * 1024

  /// Refuses a pattern of progress that cannot be used.
  static func check(_ observation: Observation) throws(WireError) {
    guard case .pattern(let text) = observation.recognition else { return }
    let pattern: ProgressPattern
    do throws(ProgressPattern.Problem) {
      pattern = try ProgressPattern(text)
    } catch {
      throw WireError(
        .usage, "the progress pattern \(text.quoted) cannot be used: \(error.reason)")
    }
    guard (1...2).contains(pattern.groupCount) else {
      throw WireError(
        .usage,
        "the progress pattern \(text.quoted) has \(pattern.groupCount) groups in brackets;"
          + " one is a percentage, two are how many of how many")
    }
  }
}

extension ProgressOrigin {
  init(_ finding: Finding) {
    self.init()
    source = JobProgress.Source(rawValue: finding.source.rawValue) ?? .output
    recogniser = finding.recogniser
    note = finding.note
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
