/// A request for a short refresh of content, 30 seconds at most; after Apple's class of this name.
open class BGAppRefreshTaskRequest: BGTaskRequest {
  /// A request for the task with this identifier.
  public override init(identifier: String) {
    super.init(identifier: identifier)
  }
}
