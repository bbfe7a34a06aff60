internal import Foundation

extension Duration {
  /// Held between zero and the largest number.
  var wholeNanoseconds: UInt64 {
    guard self > .zero else { return 0 }
    let (seconds, attoseconds) = components
    let (product, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max : product.addingHeld(UInt64(attoseconds / 1_000_000_000))
  }
}

extension UInt64 {
  /// The sum, held at the largest number instead of trapping.
  func addingHeld(_ other: UInt64) -> UInt64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}

extension Date {
  /// Since 1970, rounded down; a date that is too far away is held at the end.
  package var milliseconds: Int64 {
    Int64(max(-9e15, min(9e15, (timeIntervalSince1970 * 1000).rounded(.down))))
  }

  init(milliseconds: Int64) {
    self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
  }
}
