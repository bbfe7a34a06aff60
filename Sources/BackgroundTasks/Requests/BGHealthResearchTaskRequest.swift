public import Foundation

/// A request for a processing task of a research study; after Apple's class of this name.
///
/// It waits and runs as any processing task does.
open class BGHealthResearchTaskRequest: BGProcessingTaskRequest {
  /// How the data that it reads is protected; it is kept for the code that asks, and changes nothing:
  /// a folder is not locked with a screen.
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
