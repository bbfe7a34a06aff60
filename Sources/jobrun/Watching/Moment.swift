import JobCore
import JobWire
import LinuxSystem

/// One instant on both clocks: awake time for measuring, wall time for comparison with stored times.
struct Moment: Hashable, Sendable {
  var awake: Instant
  var wall: WallTime

  /// This instant.
  static var present: Moment {
    Moment(
      awake: Instant(nanoseconds: AwakeClock.now()),
      wall: WallTime(milliseconds: WallClock.now()))
  }

  /// Since a job's first start, or its submission, without the time that it was paused.
  func spent(on job: JobStatus) -> Interval {
    job.ran(until: wall) ?? since(job.submitted)
  }

  /// The time since a stored instant, including the machine's sleep; zero for a future one.
  func since(_ earlier: WallTime) -> Interval {
    .milliseconds(UInt64(max(0, wall.milliseconds - earlier.milliseconds)))
  }
}
