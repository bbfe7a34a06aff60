public import Foundation

/// A request to the scheduler: the task, and its earliest start; after Apple's class of this name.
///
/// Only its subclasses are submitted. A submission takes a copy: later changes have no effect.
open class BGTaskRequest: NSObject, NSCopying {
  /// Selects the handler.
  public let identifier: String

  /// The task does not begin before this time; nil, or a time that has passed, is no delay.
  ///
  /// Continued processing ignores it and begins as soon as it can.
  public var earliestBeginDate: Date?

  init(identifier: String) {
    self.identifier = identifier
  }

  /// A request with the same values.
  open func copy(with zone: NSZone? = nil) -> Any {
    requestedTask.request
  }

  /// The request as a value; each subclass has its own.
  var requestedTask: RequestedTask {
    RequestedTask(identifier: identifier, earliestBeginDate: earliestBeginDate, kind: .refresh)
  }
}
