internal import JobCore

extension BGTask {
  /// Why a task was told to stop, which Apple's `expirationHandler` does not provide.
  ///
  /// A struct instead of an enum, so that a later version can add reasons: a `switch` over it needs a
  /// `default`.
  public struct StopReason: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The code in the job's record, the feed and `jobrun show --json`.
    public let rawValue: String

    /// A reason by its code; unknown codes are kept.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// A person stopped it.
    public static let user = StopReason(rawValue: "user")
    /// A newer submission with the same identifier takes its place.
    public static let superseded = StopReason(rawValue: "superseded")
    /// It gave no sign of life for longer than its definition allows.
    public static let silent = StopReason(rawValue: "silent")
    /// It did not advance, and a person chose not to continue.
    public static let stallDeclined = StopReason(rawValue: "stallDeclined")
    /// The question whether to continue was not answered, and others wait for its resources.
    public static let unanswered = StopReason(rawValue: "unanswered")
    /// It reached its time limit.
    public static let limit = StopReason(rawValue: "limit")
    /// A required resource or condition is gone, such as the network.
    public static let requirementLost = StopReason(rawValue: "requirementLost")
    /// The runner stops, and its jobs with it.
    public static let runnerStop = StopReason(rawValue: "runnerStop")
    /// The machine restarts.
    public static let reboot = StopReason(rawValue: "reboot")
    /// The process that watches over the job is gone.
    public static let supervisorLost = StopReason(rawValue: "supervisorLost")
    /// One of its prerequisites did not succeed, so that it never ran.
    public static let dependency = StopReason(rawValue: "dependency")
    /// The engine on which it ran needed its place for others.
    public static let preempted = StopReason(rawValue: "preempted")
    /// Its engine can never run it.
    public static let engine = StopReason(rawValue: "engine")
    /// It had to start at once, but its engine did not begin it in time.
    public static let late = StopReason(rawValue: "late")
    /// This process itself got SIGTERM, SIGINT or SIGHUP from another sender than the runner.
    public static let signal = StopReason(rawValue: "signal")
    /// It was told to stop for a reason that this version does not know.
    public static let unknown = StopReason(rawValue: "unknown")

    /// One sentence that a person can read.
    public var description: String {
      Self.sentences[self] ?? "it was told to stop (\(rawValue))"
    }

    private static let sentences: [StopReason: String] = [
      .user: "it was cancelled on request",
      .superseded: "a newer job with the same identifier takes its place",
      .silent: "it gave no sign of life for longer than allowed",
      .stallDeclined: "it made no progress, and the answer was not to continue",
      .unanswered: "its question was not answered in time",
      .limit: "it reached its time limit",
      .requirementLost: "a resource that it requires is no longer available",
      .runnerStop: "the runner was stopped",
      .reboot: "the machine was restarted",
      .supervisorLost: "its supervisor died",
      .dependency: "a job that it depends on did not succeed",
      .preempted: "the engine preempted it",
      .engine: "its engine can never run it",
      .late: "its engine did not start it in time",
      .signal: "it received a signal to end",
      .unknown: "it was told to stop",
    ]

    /// The reason behind the page's stop-reason word.
    init(pageValue: UInt32) {
      let code = RecordedStopReason.Code.allCases.first { $0.pageValue == pageValue }
      self = code.map { StopReason(rawValue: $0.rawValue) } ?? .unknown
    }
  }
}

/// The core's reason, whose name is hidden inside `BGTask`.
private typealias RecordedStopReason = StopReason
