import JobCore

/// A remaining time of ten minutes or more, in steps that match its uncertainty: a minute, five minutes, half
/// an hour, an hour, a day.
struct CoarseTime: Hashable {
  /// The rounded value.
  let minutes: UInt64

  /// Nil for less than ten minutes, which are shown as they are.
  init?(_ span: Interval) {
    let exact = Self.minutes(span)
    guard exact >= 10 else { return nil }
    self.init(rounding: exact)
  }

  private init(rounding exact: Double) {
    let step = Self.step(exact)
    minutes = UInt64((exact / step).rounded()) * UInt64(step)
  }

  var span: Interval { .seconds(minutes * 60) }

  /// Whether the shown value is still good for this remaining time: until that is a tenth of it past the middle
  /// between two steps, but at most until the next step.
  func holds(for span: Interval) -> Bool {
    let exact = Self.minutes(span)
    let shown = Double(minutes)
    let step = Self.step(shown)
    let next = Self.step(exact < shown ? shown - step / 2 : shown + step / 2)
    let margin = min(shown / 10, min(step, next) / 2)
    let nearest = exact < shown ? min(exact + margin, shown) : max(exact - margin, shown)
    return nearest >= 10 && CoarseTime(rounding: nearest) == self
  }

  private static func minutes(_ span: Interval) -> Double { Double(span.nanoseconds) / 60e9 }

  /// Each up to where the next rounds to the same or more.
  private static func step(_ minutes: Double) -> Double {
    switch minutes {
    case ..<19.5: 1
    case ..<57.5: 5
    case ..<585: 30
    case ..<2850: 60
    default: 1440
    }
  }
}

/// The remaining time as shown: a coarse one does not alternate between two neighbouring values, because it
/// changes only once the estimate has clearly left it.
struct SteadyTime: Hashable {
  private var coarse: CoarseTime?

  /// Receives the newest estimate; returns the time to show.
  mutating func receive(_ span: Interval?) -> Interval? {
    guard let span else {
      coarse = nil
      return nil
    }
    if let coarse, coarse.holds(for: span) { return coarse.span }
    coarse = CoarseTime(span)
    return coarse?.span ?? span
  }
}
