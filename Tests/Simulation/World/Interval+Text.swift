package import JobCore

extension Interval {
  /// `500ms`, `2s`, `2.5s`, `3m`, `1h`.
  package init?(text: String) {
    if text.hasSuffix("ms"), let count = UInt64(text.dropLast(2)) {
      self = .milliseconds(count)
    } else if text.hasSuffix("s"), let count = Double(text.dropLast()) {
      self = .milliseconds(UInt64(count * 1000))
    } else if text.hasSuffix("m"), let count = UInt64(text.dropLast()) {
      self = .minutes(count)
    } else if text.hasSuffix("h"), let count = UInt64(text.dropLast()) {
      self = .minutes(count * 60)
    } else {
      return nil
    }
  }

  /// Seconds, with as many decimals as are needed.
  package var text: String {
    let whole = milliseconds / 1000
    let rest = milliseconds % 1000
    if rest == 0 { return "\(whole)s" }
    return rest % 100 == 0 ? "\(whole).\(rest / 100)s" : "\(milliseconds)ms"
  }
}
