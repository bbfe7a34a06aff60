package import JobCore

/// One instant on the two clocks of a driver.
package struct Moment: Hashable, Sendable {
  /// What is measured: it stands still while the machine sleeps, and begins anew with each boot.
  package var awake: Instant
  /// What is shown and stored; people set it.
  package var wall: WallTime

  package init(awake: Instant, wall: WallTime) {
    self.awake = awake
    self.wall = wall
  }
}
