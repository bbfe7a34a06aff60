internal import JobCore

/// How patient an embedded scheduler is; at first as the runner is.
public struct EmbeddedRules: Hashable, Sendable {
  /// The time without an advance after which a reporting continued task stalls.
  public var stallAfter = Duration(EmbeddedRules.usual.stallAfter)
  /// The time without any sign of life after which a continued task expires.
  public var silentAfter = Duration(Submission.Options.defaultSilence)
  /// The time between the stop of a task and its deadline.
  public var grace = Duration(EmbeddedRules.usual.grace)
  /// How long a refresh task may run.
  public var refreshLimit = Duration(Submission.Kind.refresh.defaultLimit ?? .zero)
  /// How long a processing task may run.
  public var processingLimit = Duration(Submission.Kind.processing.defaultLimit ?? .zero)

  /// The runner's rules.
  public init() {}

  private static let usual = Submission.Options(speaksPage: true)

  /// The submission for the core.
  func submission(
    of request: RequestedTask, _ identifier: JobIdentifier, key: String
  ) -> Submission {
    var submission = Submission(key: key, identifier: identifier, speaksPage: true)
    submission.isHosted = true
    submission.options.kind = request.taskKind
    submission.options.grace = Interval(grace)
    submission.options.stallAfter = Interval(stallAfter)
    if submission.options.kind.isScheduled {
      submission.notBefore = request.earliestBeginDate.map {
        WallTime(milliseconds: $0.milliseconds)
      }
    }
    switch request.kind {
    case .continued(let values):
      submission.options.silentAfter = Interval(silentAfter)
      submission.options.strategy = values.strategy == .fail ? .fail : .queue
      submission.options.requirements.gpuCount = values.resources.contains(.gpu) ? 1 : 0
    case .processing(let network, let power, _):
      submission.options.limit = Interval(processingLimit)
      submission.options.onStall = .continue
      submission.options.requirements.network = network
      submission.options.requirements.power = power
    case .refresh:
      submission.options.limit = Interval(refreshLimit)
      submission.options.onStall = .continue
    }
    return submission
  }
}

extension Duration {
  fileprivate init(_ span: Interval) {
    self = .nanoseconds(Int64(clamping: span.nanoseconds))
  }
}

extension Interval {
  fileprivate init(_ duration: Duration) {
    self.init(nanoseconds: duration.wholeNanoseconds)
  }
}
