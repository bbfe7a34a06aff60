import JobWire

/// How soon a terminal must look again at what nobody announces: the job's page, its log, a runner that
/// comes back.
struct WatchPace: Hashable {
  /// How often the display is brought up to date at most, in nanoseconds.
  static let frame: UInt64 = 100_000_000
  /// The longest pause after which 99 of 100 reports are seen within 150 ms.
  static let longestFrame: UInt64 = 140_000_000
  /// Where nobody waits for a line to move, or nothing has moved for long.
  static let sparseFrame: UInt64 = 1_000_000_000

  var style: WatchDisplay.Style
  var state: JobStatus.State
  /// How long the page has shown the same, in nanoseconds.
  var rest: UInt64 = 0
  /// Another program has the terminal.
  var isInBackground = false
  /// The terminal has not taken yet what it was given.
  var isBehind = false
  var isLost = false
  var followsLog = false

  /// Nanoseconds until the next look; nil = not before something arrives.
  var interval: UInt64? {
    if isLost || followsLog || isBehind { return Self.frame }
    if style == .live, isInBackground { return Self.sparseFrame }
    // Who waits in the queue has no page.
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
