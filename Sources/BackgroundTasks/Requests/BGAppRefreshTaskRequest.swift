/// A request for a short look at what is new, 30 seconds at most; after Apple's class of this name.
open class BGAppRefreshTaskRequest: BGTaskRequest {
  /// A request for the task with this identifier.
  public override init(identifier: String) {
    super.init(identifier: identifier)
  }
}
