extension Interval {
  /// As a person writes it: `500 ms`, `30 s`, `2.5 s`, `10 min`, `3 h`; rounded down.
  package var words: String {
    let seconds = nanoseconds / 1_000_000_000
    if seconds == 0 { return "\(milliseconds) ms" }
    if seconds < 10, milliseconds % 1_000 >= 100 {
      return "\(seconds).\(milliseconds % 1_000 / 100) s"
    }
    if seconds < 60 || (seconds < 600 && seconds % 60 != 0) { return "\(seconds) s" }
    if seconds < 3_600 || (seconds < 36_000 && seconds % 3_600 >= 60) {
      return "\(seconds / 60) min"
    }
    return "\(seconds / 3_600) h"
  }
}

/// A count of bytes as a person reads it: `512 B`, `1.5 KiB`, `64.0 GiB`; rounded down.
func words(bytes count: UInt64) -> String {
  var unit = 0
  var tenths = count
  guard count >= 1024 else { return "\(count) B" }
  let names = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
  while tenths >= 1024 * 1024 {
    tenths /= 1024
    unit += 1
  }
  let fraction = tenths % 1024 * 10 / 1024
  return "\(tenths / 1024).\(fraction) \(names[unit])"
}

/// Jobs in a sentence: `job 3`, `jobs 3 and 4`, `jobs 3, 4, 5 and 7 others`.
package func words(jobs named: [JobNumber], of count: Int) -> String {
  guard let last = named.last else { return "other jobs" }
  let others = count - named.count
  if others > 0 {
    let tail = others == 1 ? "1 other" : "\(others) others"
    return "jobs " + named.map { $0.description }.joined(separator: ", ") + " and " + tail
  }
  if named.count == 1 { return "job \(last)" }
  return "jobs " + named.dropLast().map { $0.description }.joined(separator: ", ") + " and \(last)"
}
