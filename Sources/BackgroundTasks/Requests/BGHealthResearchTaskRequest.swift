public import Foundation

/// A request for a processing task of a research study; after Apple's class of this name.
///
/// It waits and runs as any processing task does.
open class BGHealthResearchTaskRequest: BGProcessingTaskRequest {
  /// The protection of the data that it reads; stored for existing code, without an effect: folders are not
  /// locked with the screen.
  public var protectionTypeOfRequiredData = FileProtectionType.completeUntilFirstUserAuthentication

  /// A request for the task with this identifier.
  public override init(identifier: String) {
    super.init(identifier: identifier)
  }

  override var requestedTask: RequestedTask {
    RequestedTask(
      identifier: identifier, earliestBeginDate: earliestBeginDate,
      kind: .processing(
        network: requiresNetworkConnectivity, power: requiresExternalPower,
        protection: protectionTypeOfRequiredData.rawValue))
  }
}
