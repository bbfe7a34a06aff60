internal import JobCore

/// How patient an embedded scheduler is; at first as the runner is.
public struct EmbeddedRules: Hashable, Sendable {
  /// A continued task that reports and does not advance for so long is asked about.
  public var stallAfter = Duration.seconds(30)
  /// A continued task without any sign of life for so long is expired.
  public var silentAfter = Duration.seconds(120)
  /// The time between the stop of a task and its deadline.
  public var grace = Duration.seconds(10)
  /// How long a refresh task may run.
  public var refreshLimit = Duration.seconds(30)
  /// How long a processing task may run.
  public var processingLimit = Duration.seconds(600)

  /// The runner's rules.
  public init() {}

  /// What the core is to decide on.
  func submission(
    of request: RequestedTask, _ identifier: JobIdentifier, key: String
  ) -> Submission {
    var submission = Submission(key: key, identifier: identifier, speaksPage: true)
    submission.isHosted = true
    submission.kind = request.taskKind
    submission.grace = Span(grace)
    submission.stallAfter = Span(stallAfter)
    if submission.kind.isScheduled {
      submission.notBefore = request.earliestBeginDate.map {
        WallTime(milliseconds: $0.milliseconds)
      }
    }
    switch request.kind {
    case .continued(let values):
      submission.silentAfter = Span(silentAfter)
      submission.strategy = values.strategy == .fail ? .fail : .queue
      submission.requirements.gpuCount = values.resources.contains(.gpu) ? 1 : 0
    case .processing(let network, let power, _):
      submission.limit = Span(processingLimit)
      submission.onStall = .continue
      submission.requirements.network = network
      submission.requirements.power = power
    case .refresh:
      submission.limit = Span(refreshLimit)
      submission.onStall = .continue
    }
    return submission
  }
}

extension Span {
  fileprivate init(_ duration: Duration) {
    self.init(nanoseconds: duration.wholeNanoseconds)
  }
}
