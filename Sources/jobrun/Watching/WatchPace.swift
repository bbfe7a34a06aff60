import JobWire

/// The interval for checking sources without events: the job's page, its log, a runner that comes back.
struct WatchPace: Hashable {
  /// The minimum interval between updates of the display, in nanoseconds.
  static let frame: UInt64 = 100_000_000
  /// The longest pause after which 99 of 100 reports are seen within 150 ms.
  static let longestFrame: UInt64 = 140_000_000
  /// Without a moving line, or after a long time without a change.
  static let sparseFrame: UInt64 = 1_000_000_000

  var style: WatchDisplay.Style
  var state: JobStatus.State
  /// How long the page has shown the same, in nanoseconds.
  var rest: UInt64 = 0
  /// Another program has the terminal.
  var isInBackground = false
  /// Whether the terminal has not accepted all output yet.
  var isBehind = false
  var isLost = false
  var followsLog = false

  /// Nanoseconds until the next look; nil = not before something arrives.
  var interval: UInt64? {
    if isLost || followsLog || isBehind { return Self.frame }
    if style == .live, isInBackground { return Self.sparseFrame }
    // A waiting job has no page.
    guard state.hasPage else { return nil }
    switch style {
    case .live, .json:
      if rest < 2_000_000_000 { return Self.frame }
      return rest < 60_000_000_000 ? Self.longestFrame : 2 * Self.frame
    case .sparse: return rest < 60_000_000_000 ? Self.sparseFrame : 4 * Self.sparseFrame
    case .none: return nil
    }
  }
}
