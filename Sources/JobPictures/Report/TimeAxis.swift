internal import JobCore
internal import LinuxSystem

/// The stretch of time that a picture shows, and where the clock's round times lie in it.
struct TimeAxis {
  let begin: WallTime
  let end: WallTime
  /// Where it lies in the picture.
  let left: Double
  let width: Double

  /// In seconds.
  private static let steps: [Int64] = [
    1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400,
    172_800, 604_800,
  ]

  func x(_ time: WallTime) -> Double {
    let whole = max(1, Double((end - begin).milliseconds))
    return left + width * min(1, Double((time - begin).milliseconds) / whole)
  }

  /// At most `most` round times, and how they are written.
  func ticks(_ most: Int) -> [(at: WallTime, label: String)] {
    let seconds = Int64((end - begin).milliseconds / 1_000)
    let week: Int64 = 604_800
    let whole = week * (seconds / week / Int64(max(1, most)) + 1)
    let step = (Self.steps.first { seconds / $0 < most } ?? whole) * 1_000
    // Round by the clock here, not by that of Greenwich.
    let offset = LocalClock.shown(begin.milliseconds) - begin.milliseconds
    var at = ((begin.milliseconds + offset) / step + 1) * step - offset
    var ticks: [(at: WallTime, label: String)] = []
    while at <= end.milliseconds, ticks.count < most {
      let label: String
      if step >= 86_400_000 {
        // Noon always belongs to that day, even after a clock change.
        let day = LocalClock.reading(at + 43_200_000)
        label = "\(day.day). \(day.month)."
      } else {
        label = step < 60_000 ? Self.clock(at) : LocalClock.text(at)
      }
      ticks.append((WallTime(milliseconds: at), label))
      at += step
    }
    return ticks
  }

  /// `14:02:33`.
  static func clock(_ milliseconds: Int64) -> String {
    let second = LocalClock.reading(milliseconds).second
    return "\(LocalClock.text(milliseconds)):\(second < 10 ? "0" : "")\(second)"
  }

  /// `2026-11-23 14:02:33`.
  static func whole(_ time: WallTime) -> String {
    let day = LocalClock.reading(time.milliseconds)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(day.year)-\(two(day.month))-\(two(day.day)) \(clock(time.milliseconds))"
  }
}
