/// A request for work that a person started on purpose and watches; after Apple's class of this name.
open class BGContinuedProcessingTaskRequest: BGTaskRequest {
  /// The behaviour when the task cannot start at this moment.
  public enum SubmissionStrategy: Int, Hashable, Sendable {
    /// The submission fails with `immediateRunIneligible`.
    case fail = 0
    /// The task waits at the back of the queue.
    case queue = 1
  }

  /// The resources that a task needs beside a processor.
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

  /// The displayed name of the job.
  public var title: String

  /// The displayed activity of the job.
  public var subtitle: String

  /// Whether it waits when it cannot start now; it does at first.
  public var strategy = SubmissionStrategy.queue

  /// The required resources; a submission is refused if the machine does not have them.
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
