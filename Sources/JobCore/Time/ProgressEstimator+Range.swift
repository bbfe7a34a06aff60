// How even the pace is: whether the remaining time is said, and with which range.
extension ProgressEstimator {
  /// Parts of the run whose paces are compared.
  private static let quarters = 4
  /// The relative standard error of the pace up to which the remaining time is said without a range.
  private static let steadyError = 0.1
  /// The same up to which a run is even enough for an early estimate.
  private static let evenError = 0.3
  private static let rangeErrors = 3.0
  /// How many times as fast, and as slow, an uneven run may become: one and these times the share that is left.
  ///
  /// At a quarter of recorded uneven runs, the remaining time was from 0.31 to 1.7 times the estimate.
  private static let rangeFaster = 3.0
  private static let rangeSlower = 1.0
  /// The least number of paces from which an error is computed.
  private static let enoughPaces = 3
  /// The range with fewer paces: from a third of the estimate to 1.8 times as much.
  ///
  /// In recorded runs that begin slowly, later steps were up to 2.7 times as fast, and in the others at a quarter
  /// up to 1.8 times as slow.
  private static let fewPacesFaster = 3.0
  private static let fewPacesSlower = 1.8

  /// The range of the remaining time while the pace changes, while the first step may have been a preparation,
  /// and while only one or two steps are known; nil while the pace is steady.
  ///
  /// The paces of the four quarters of the run so far are four measurements; of a run of few steps, those of
  /// each step. If the standard error of their mean is above a tenth, the range goes from the fastest to the
  /// slowest of them, and at least three such errors to either side: 95 % of the means, by Student's
  /// distribution with three degrees of freedom. What is left may also differ from all that was seen: the more
  /// of it, the wider the range.
  ///
  /// `hasEarlier`: the durations of earlier runs are known, so that few paces are enough.
  package func range(
    total: UInt64, at now: Instant, hasEarlier: Bool = false
  ) -> ClosedRange<Interval>? {
    guard let first, let begun, let own = remaining(total: total, at: now), own > .zero,
      begun.completed < total
    else { return nil }
    let left = Double(total - begun.completed)
    if seemsPrepared, let others {
      let least = Self.span(left * others.seconds / others.units)
      return min(least, own)...max(least, own)
    }
    let paces = paces(from: first, to: begun)
    let seconds = Self.seconds(own)
    guard let slowest = paces.min(), let fastest = paces.max(), paces.count >= Self.enoughPaces
    else {
      return hasEarlier || seconds >= 1e9
        ? nil : Self.span(seconds / Self.fewPacesFaster)...Self.span(seconds * Self.fewPacesSlower)
    }
    let error = Self.meanError(paces)
    guard error > Self.steadyError else { return nil }
    let share = left / Double(total)
    let faster = 1 + max(Self.rangeErrors * error, Self.rangeFaster * share)
    let slower = 1 + max(Self.rangeErrors * error, Self.rangeSlower * share)
    let longest = max(left / slowest, seconds * slower)
    guard longest < 3e9 else { return nil }
    return Self.span(min(left / fastest, seconds / faster))...Self.span(longest)
  }

  /// Whether it has run for long enough to tell the time left.
  func isLongEnough(from first: Look, to begun: Look, at now: Instant) -> Bool {
    let span = now - first.at
    guard span >= Self.minimumSpan, span < Self.minimumSpanOfUneven else {
      return span >= Self.minimumSpan
    }
    let paces = paces(from: first, to: begun)
    return paces.count >= 2 && Self.meanError(paces) <= Self.evenError
  }

  /// The paces of the quarters of the run so far, or those of its steps while these are few.
  private func paces(from first: Look, to begun: Look) -> [Double] {
    var looks = [first]
    if marks.count >= 2 * Self.quarters {
      let quarter = (begun.at - first.at).nanoseconds / UInt64(Self.quarters)
      for index in 1..<UInt64(Self.quarters) {
        looks.append(mark(at: first.at + Interval(nanoseconds: quarter * index)))
      }
    } else {
      looks += marks
    }
    if looks.last != begun { looks.append(begun) }
    return zip(looks, looks.dropFirst()).map(Self.rate).filter { $0 > 0 }
  }

  /// The standard error of the mean of at least two values, relative to that mean.
  private static func meanError(_ values: [Double]) -> Double {
    let count = Double(values.count)
    let mean = values.reduce(0, +) / count
    let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
    return (variance / count).squareRoot() / mean
  }

  private static func rate(from start: Look, to end: Look) -> Double {
    guard end.at > start.at, end.completed > start.completed else { return 0 }
    return Double(end.completed - start.completed) / seconds(end.at - start.at)
  }

  /// Where it was at a time, as far as the marks tell.
  private func mark(at time: Instant) -> Look {
    var before = marks[0]
    for mark in marks {
      if mark.at > time { return time - before.at < mark.at - time ? before : mark }
      before = mark
    }
    return before
  }
}
