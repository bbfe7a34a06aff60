package import JobCore

/// When a job was paused, by the clock on the wall.
package struct PauseTimes: Hashable, Sendable {
  /// Since when it is; nil while it is not.
  package var since: WallTime?
  /// How long the pauses took that are over.
  package var length = Interval.zero

  package init(since: WallTime? = nil, length: Interval = .zero) {
    self.since = since
    self.length = length
  }

  /// A pause ends.
  mutating func end(at now: WallTime) {
    guard let since else { return }
    length = length + (now - since)
    self.since = nil
  }
}
