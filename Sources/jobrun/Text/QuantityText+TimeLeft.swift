import JobCore
import JobWire

extension QuantityText {
  /// A remaining time in steps that match its uncertainty, with the maximum width of either form.
  typealias TimeLeft = (long: String, short: String, width: Int, shortWidth: Int)

  /// `9:59`; from ten minutes on `about 25 min`, `about 2.5 h`, `about 3 days`, or shorter
  /// `~25 min`, `~2.5 h`, `~3 d`.
  static func timeLeft(_ span: Interval) -> TimeLeft {
    guard let minutes = CoarseTime(span)?.minutes else {
      return (clock(span), "\(clock(span)) left", 0, 0)
    }
    if minutes < 60 { return about("\(minutes)", "min", "min") }
    if minutes < 600 { return about("\(minutes / 60)\(minutes % 60 > 0 ? ".5" : "")", "h", "h") }
    if minutes < 2880 { return about("\(minutes / 60)", "h", "h") }
    return about("\(minutes / 1440)", "days", "d")
  }

  /// `0:40 to 1:30`, in seconds: the range of a remaining time while the pace is changing.
  static func range(_ seconds: ClosedRange<Double>) -> String {
    let least = Interval.milliseconds(UInt64(max(0, min(seconds.lowerBound, 1e12)) * 1000))
    let most = Interval.milliseconds(UInt64(max(0, min(seconds.upperBound, 1e12)) * 1000))
    return "\(clock(least)) to \(clock(most))"
  }

  /// `20/20, goes on`: all reported work is done, but the job continues.
  static func whole(_ progress: JobProgress) -> String {
    let amount = amount(progress.completed, of: progress.total, progress.unit)
    let note = progress.note.map(SafeText.shown) ?? "goes on"
    return "\(amount.isEmpty ? "100 %" : amount), \(note)"
  }

  private static func about(_ number: String, _ unit: String, _ short: String) -> TimeLeft {
    let width = "about 25 min".count
    return ("about \(number) \(unit)", "~\(number) \(short) left", width, "~25 min left".count)
  }
}
