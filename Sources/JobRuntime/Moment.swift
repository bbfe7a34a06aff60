package import JobCore

/// One instant on the two clocks of a driver.
package struct Moment: Hashable, Sendable {
  /// For measuring: it stops while the machine sleeps, and restarts with each boot.
  package var awake: Instant
  /// For display and storage; people set it.
  package var wall: WallTime

  package init(awake: Instant, wall: WallTime) {
    self.awake = awake
    self.wall = wall
  }
}
