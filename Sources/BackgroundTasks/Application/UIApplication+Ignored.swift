public import Foundation

// Settings of an app without an effect here: the message names the alternative.
extension UIApplication {
  /// Kept for the code that names it.
  public nonisolated static let backgroundFetchIntervalMinimum: TimeInterval = 0
  /// Kept for the code that names it.
  public nonisolated static let backgroundFetchIntervalNever = TimeInterval.greatestFiniteMagnitude

  /// Has no effect, as on iOS since 13 in an app with BackgroundTasks.
  @available(*, deprecated, message: "nothing calls performFetch; submit a BGAppRefreshTaskRequest")
  public func setMinimumBackgroundFetchInterval(_ minimumBackgroundFetchInterval: TimeInterval) {}
}

extension ProcessInfo {
  /// How warm the machine is; after Apple's type of this name.
  public enum ThermalState: Int, Hashable, Sendable {
    /// As it should be, or unknown.
    case nominal = 0
    /// A little warm.
    case fair = 1
    /// So warm that it works more slowly.
    case serious = 2
    /// So warm that it stops soon.
    case critical = 3
  }

  /// Always nominal: Linux throttles a warm machine by itself, without a notification.
  public var thermalState: ThermalState { .nominal }

  /// Always false: background tasks wait on a low battery (`"lowBattery"` in `config.json`) without asking the
  /// program.
  public var isLowPowerModeEnabled: Bool { false }
}
