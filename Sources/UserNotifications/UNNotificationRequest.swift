public import Foundation

/// When a notice is shown; after Apple's class of this name.
open class UNNotificationTrigger: NSObject, @unchecked Sendable {
  /// Whether it is shown again and again.
  public let repeats: Bool

  init(repeats: Bool) {
    self.repeats = repeats
  }
}

/// A notice that is shown once so much time has passed; after Apple's class of this name.
open class UNTimeIntervalNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
  /// In seconds.
  public let timeInterval: TimeInterval

  /// A time that begins with the addition of the request.
  public init(timeInterval: TimeInterval, repeats: Bool) {
    self.timeInterval = timeInterval
    super.init(repeats: repeats)
  }
}

/// A notice and when it is shown; after Apple's class of this name.
open class UNNotificationRequest: NSObject, @unchecked Sendable {
  /// A later request with the same identifier replaces a waiting one.
  public let identifier: String
  /// The content of the notice.
  public let content: UNNotificationContent
  /// When to show it; nil = at once.
  public let trigger: UNNotificationTrigger?

  /// A request; later changes of the content have no effect.
  public init(
    identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?
  ) {
    self.identifier = identifier
    let copy = UNNotificationContent()
    copy.words = content.words
    self.content = copy
    self.trigger = trigger
  }
}
