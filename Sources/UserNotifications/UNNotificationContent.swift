public import Foundation

/// The content of a notice; after Apple's class of this name.
open class UNNotificationContent: NSObject, @unchecked Sendable {
  struct Words: Hashable, Sendable {
    var title = ""
    var subtitle = ""
    var body = ""
  }

  var words = Words()

  /// Empty content.
  public override init() { super.init() }

  /// One line.
  open var title: String { words.title }
  /// Another line.
  open var subtitle: String { words.subtitle }
  /// The text of the notice.
  open var body: String { words.body }
}

/// The same, while it is written; after Apple's class of this name.
///
/// Sounds, badges, attachments and categories are kept for the code that sets them: a desktop's notices have none.
open class UNMutableNotificationContent: UNNotificationContent, @unchecked Sendable {
  /// One line.
  open override var title: String {
    get { words.title }
    set { words.title = newValue }
  }

  /// Another line.
  open override var subtitle: String {
    get { words.subtitle }
    set { words.subtitle = newValue }
  }

  /// The text of the notice.
  open override var body: String {
    get { words.body }
    set { words.body = newValue }
  }

  /// Not shown.
  open var sound: UNNotificationSound?
  /// Not shown.
  open var badge: NSNumber?
  /// Not shown.
  open var categoryIdentifier = ""
  /// Not shown.
  open var threadIdentifier = ""
  /// Not shown.
  open var userInfo: [AnyHashable: Any] = [:]
}

/// A sound, of which a desktop's notices have none of the program's; after Apple's class of this name.
public final class UNNotificationSound: NSObject, Sendable {
  /// That of the system.
  public static let `default` = UNNotificationSound()
}
