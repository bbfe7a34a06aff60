import JobCore
import LinuxSystem

/// The clock on the wall here, in the time zone of this process.
struct LocalCalendar: CivilCalendar {
  func shown(at time: WallTime) -> Int64 { LocalClock.shown(time.milliseconds) }

  func time(showing milliseconds: Int64) -> WallTime {
    WallTime(milliseconds: LocalClock.time(showing: milliseconds))
  }
}
