package import JobCore

/// Amounts, rates and times as a person reads them at a glance.
package enum QuantityText {
  /// `1.2/2.8 GB`, `17/120`; without a total only the completed part: `1.2 GB`, `17 items`.
  package static func amount(_ completed: UInt64, of total: UInt64, _ unit: JobProgress.Unit)
    -> String
  {
    switch unit {
    case .items: return total == 0 ? items(completed) : "\(completed)/\(total)"
    case .share: return ""
    case .bytes:
      guard total > 0 else { return bytes(completed) }
      let scale = scale(of: total)
      return "\(scaled(completed, scale))/\(scaled(total, scale)) \(scale.name)"
    }
  }

  /// `1,000`.
  package static func grouped(_ count: Int) -> String {
    var digits = Array(String(count))
    var place = digits.count - 3
    while place > 0 {
      digits.insert(",", at: place)
      place -= 3
    }
    return String(digits)
  }

  /// `1 item`, `17 items`.
  package static func items(_ count: UInt64) -> String { count == 1 ? "1 item" : "\(count) items" }

  /// `112 MB/s`, `12/s`, `3/min`; nil for a rate too small to mean anything.
  package static func rate(_ perSecond: Double?, _ unit: JobProgress.Unit) -> String? {
    guard let perSecond, perSecond.isFinite, perSecond > 0 else { return nil }
    switch unit {
    case .share: return nil
    case .bytes: return perSecond < 1 ? nil : "\(bytes(whole(perSecond)))/s"
    case .items:
      if perSecond >= 10 { return "\(whole(perSecond))/s" }
      if perSecond >= 1 { return "\(fixed(perSecond, 1))/s" }
      let perMinute = perSecond * 60
      return perMinute >= 1 ? "\(whole(perMinute))/min" : "\(fixed(perMinute * 60, 1))/h"
    }
  }

  /// `0:42`, `12:05`, `1:02:03`, `3d 04h`.
  package static func clock(_ span: Interval) -> String {
    let seconds = span.nanoseconds / 1_000_000_000
    let minutes = seconds / 60
    let hours = minutes / 60
    if hours >= 48 { return "\(hours / 24)d \(two(hours % 24))h" }
    if hours > 0 { return "\(hours):\(two(minutes % 60)):\(two(seconds % 60))" }
    return "\(minutes):\(two(seconds % 60))"
  }

  /// `0.4 s`, `14.2 s`, `2 min 5 s`, `1 h 2 min`, `3 d 4 h`.
  package static func length(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds > 0 else { return "0.0 s" }
    if seconds < 59.95 { return "\(fixed(seconds, 1)) s" }
    let whole = whole(seconds)
    if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
    if whole < 2 * 86_400 { return "\(whole / 3600) h \(whole / 60 % 60) min" }
    return "\(whole / 86_400) d \(whole / 3600 % 24) h"
  }

  /// ` 43 %`; never 100 before all is done.
  package static func percent(_ completed: UInt64, of total: UInt64) -> String {
    guard total > 0 else { return "" }
    let fraction = min(1, Double(completed) / Double(total))
    let value = completed >= total ? 100 : min(99, Int(fraction * 100))
    return (value < 10 ? "  " : value < 100 ? " " : "") + "\(value) %"
  }

  /// `7.3 J`, `540 J`, `12.5 Wh`, `3.1 kWh`: larger amounts use watt-hours, as on bills.
  package static func energy(_ joules: Double) -> String {
    let wattHours = joules / 3_600
    if wattHours < 1 { return "\(fixed(joules, joules < 100 ? 1 : 0)) J" }
    return wattHours < 1_000 ? "\(fixed(wattHours, 1)) Wh" : "\(fixed(wattHours / 1_000, 1)) kWh"
  }

  /// `value` with exactly this many places, rounded.
  package static func fixed(_ value: Double, _ places: Int) -> String {
    var factor = 1.0
    for _ in 0..<places { factor *= 10 }
    let rounded = whole(value * factor)
    let unit = UInt64(factor)
    guard places > 0 else { return "\(rounded)" }
    let digits = String(rounded % unit)
    return "\(rounded / unit).\(String(repeating: "0", count: places - digits.count))\(digits)"
  }

  private static func two(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// Rounded to a whole number, held at the ends of its range.
  private static func whole(_ value: Double) -> UInt64 {
    value < 0 ? 0 : value >= 1.8e19 ? .max : UInt64(value.rounded())
  }
}
