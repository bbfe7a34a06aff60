/// Identifies the work of a `beginBackgroundTask`; after UIKit's type of this name.
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
  /// A number that is unique in this process; 0 is invalid.
  public let rawValue: Int

  /// The identifier with this number.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// No work was begun.
  public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}
