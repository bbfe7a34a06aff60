import JobCore
import JobWire

extension JobStatus {
  /// The rest of a pause that ends by itself; nil for any other.
  func pauseLeft(at now: Moment) -> Interval? {
    guard state == .paused, let until = paused?.until else { return nil }
    return .milliseconds(UInt64(max(0, until.milliseconds - now.wall.milliseconds)))
  }
}

/// Words about a pause that ends by itself.
enum PauseText {
  /// `resumes in 9 min`.
  static func resumes(in left: Interval) -> String { "resumes in \(length(left))" }

  /// `45 s`, `9 min`, `1 h 20 min`, `2 d 3 h`, rounded up: just paused for ten minutes, it is `10 min`.
  private static func length(_ left: Interval) -> String {
    let seconds = (left.nanoseconds + 999_999_999) / 1_000_000_000
    if seconds < 60 { return "\(seconds) s" }
    let minutes = (seconds + 59) / 60
    if minutes < 60 { return "\(minutes) min" }
    if minutes < 2 * 24 * 60 {
      return "\(minutes / 60) h" + (minutes % 60 > 0 ? " \(minutes % 60) min" : "")
    }
    return "\(minutes / 1440) d \(minutes / 60 % 24) h"
  }
}
