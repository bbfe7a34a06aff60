import JobCore
import JobRecognition
import JobWire
import LinuxSystem

extension Runner {
  /// Adds to a look at the page of a job that says nothing there what is seen of it from outside.
  func observe(_ sample: inout PageSample, of live: Attempt, _ card: inout JobCard) {
    guard card.submission.observation.recognition != .none else { return }
    // Whoever reports is believed, from then on.
    if sample.total > 0 || sample.completed > 0 || sample.reports > 0 {
      live.hasReported = true
      card.origin = ProgressOrigin()
    }
    guard !live.hasReported else { return }
    var look = live.progress ?? ProgressLook(card.submission.observation)
    if let end = live.end {
      look?.conclude(log: home.places.log(live.number), well: end, at: clock())
    } else {
      look?.look(
        log: home.places.log(live.number), below: live.supervisorPID, at: clock())
    }
    live.progress = look
    guard let finding = look?.finding else { return }
    sample.completed = finding.counts.completed
    sample.total = finding.counts.total
    sample.unit = finding.counts.unit
    card.origin = ProgressOrigin(finding)
  }

  /// Whether the job's progress is seen only from here.
  func isObserved(_ number: JobNumber) -> Bool {
    guard let live = attempts[number], let card = cards[number] else { return false }
    return !live.hasReported && card.submission.observation.recognition != .none
  }

  /// Refuses a pattern of progress that cannot be used.
  static func check(_ observation: Observation) throws(WireError) {
    guard case .pattern(let text) = observation.recognition else { return }
    let pattern: ExtendedPattern
    do throws(ExtendedPattern.Problem) {
      pattern = try ExtendedPattern(text)
    } catch {
      throw WireError(
        .usage, "the progress pattern \"\(text)\" cannot be used: \(error.reason)")
    }
    guard (1...2).contains(pattern.groupCount) else {
      throw WireError(
        .usage,
        "the progress pattern \"\(text)\" has \(pattern.groupCount) groups in brackets;"
          + " one is a percentage, two are how many of how many")
    }
  }
}

/// Where a job's progress was seen.
struct ProgressOrigin: Hashable {
  var source = JobProgress.Source.page
  /// What recognised it; nil for the page.
  var recogniser: String?

  init() {}

  init(_ finding: Finding) {
    source = JobProgress.Source(rawValue: finding.source.rawValue) ?? .output
    recogniser = finding.recogniser
  }

  init(_ progress: JobProgress.Source?, recogniser: String?) {
    source = progress ?? .page
    self.recogniser = recogniser
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

extension JobProgress.Unit {
  init(_ unit: PageSample.Unit) {
    self =
      switch unit {
      case .items: .items
      case .bytes: .bytes
      case .share: .share
      }
  }
}

extension PageSample.Unit {
  init(_ unit: JobProgress.Unit) {
    self =
      switch unit {
      case .items: .items
      case .bytes: .bytes
      case .share: .share
      }
  }
}
