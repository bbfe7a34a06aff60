/// A request for minutes of work at a time that suits the machine; after Apple's class of this name.
open class BGProcessingTaskRequest: BGTaskRequest {
  /// Whether it waits for a network, and is stopped when that is lost; false at first.
  public var requiresNetworkConnectivity = false

  /// Whether it waits for external power, and is stopped when that is lost; false at first.
  public var requiresExternalPower = false

  /// A request for the task with this identifier.
  public override init(identifier: String) {
    super.init(identifier: identifier)
  }

  override var requestedTask: RequestedTask {
    RequestedTask(
      identifier: identifier, earliestBeginDate: earliestBeginDate,
      kind: .processing(
        network: requiresNetworkConnectivity, power: requiresExternalPower, protection: nil))
  }
}
