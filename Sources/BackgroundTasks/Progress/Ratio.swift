/// A fraction of whole numbers that is as near to a given one as it can be: one twentieth for 0.05.
///
/// By continued fractions, the best for a denominator of its size.
struct Ratio: Hashable, Sendable {
  private static let largestDenominator = 1e9
  private(set) var numerator: Int64 = 0
  private(set) var denominator: Int64 = 1

  init(_ value: Double) {
    guard value.isFinite, value > 0, value < 1e9 else { return }
    var rest = value
    var (before, present) = ((0.0, 1.0), (1.0, 0.0))
    while true {
      let whole = rest.rounded(.down)
      let next = (whole * present.0 + before.0, whole * present.1 + before.1)
      guard next.1 <= Self.largestDenominator, next.0 < 9e18 else { break }
      (before, present) = (present, next)
      let left = rest - whole
      if left < 1e-12 || present.0 / present.1 == value { break }
      rest = 1 / left
    }
    (numerator, denominator) = (Int64(present.0), Int64(present.1))
  }
}
