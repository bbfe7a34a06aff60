/// A request for work that a person started on purpose and watches; after Apple's class of this name.
open class BGContinuedProcessingTaskRequest: BGTaskRequest {
  /// What happens when the task cannot start at this moment.
  public enum SubmissionStrategy: Int, Hashable, Sendable {
    /// The submission fails with `immediateRunIneligible`.
    case fail = 0
    /// The task waits at the back of the queue.
    case queue = 1
  }

  /// What a task needs of the machine beside a processor.
  public struct Resources: OptionSet, Hashable, Sendable {
    /// The bits of Apple's option set.
    public let rawValue: Int

    /// The resources with these bits.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// A GPU, which the task has for itself.
    public static let gpu = Resources(rawValue: 1)
  }

  /// What the job is, as people see it.
  public var title: String

  /// What the job does, as people see it.
  public var subtitle: String

  /// Whether it waits when it cannot start now; it does at first.
  public var strategy = SubmissionStrategy.queue

  /// What it needs; a submission that asks for what the machine does not have is refused.
  public var requiredResources: Resources = []

  /// A request for the task with this identifier.
  public init(identifier: String, title: String, subtitle: String) {
    self.title = title
    self.subtitle = subtitle
    super.init(identifier: identifier)
  }

  override var requestedTask: RequestedTask {
    RequestedTask(
      identifier: identifier, earliestBeginDate: earliestBeginDate,
      kind: .continued(
        RequestedTask.Continued(
          title: title, subtitle: subtitle, strategy: strategy, resources: requiredResources)))
  }
}
