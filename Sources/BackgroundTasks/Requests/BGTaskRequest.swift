public import Foundation

/// What is asked of the scheduler: which task, and not before when; after Apple's class of this name.
///
/// Only its subclasses are submitted. A submission takes a copy: changes that follow do nothing.
open class BGTaskRequest: NSObject, NSCopying {
  /// Which handler runs it.
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
