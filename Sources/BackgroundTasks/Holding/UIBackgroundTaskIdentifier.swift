/// Names what `beginBackgroundTask` began; after UIKit's type of this name.
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
  /// A number that is unique in this process; 0 is none.
  public let rawValue: Int

  /// The identifier with this number.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Nothing was begun.
  public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}
