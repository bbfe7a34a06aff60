// The ways in which programs write amounts.
extension Piece {
  /// A whole number, with or without commas between its digits; nil for other texts.
  var wholeNumber: UInt64? {
    guard first?.isDigit ?? false else { return nil }
    var number: UInt64 = 0
    for byte in self where byte != UInt8(ascii: ",") {
      guard byte.isDigit else { return nil }
      let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(UInt64(byte - 0x30))
      guard !overflow, !carry else { return nil }
      number = sum
    }
    return number
  }

  /// A number with or without a fraction, in hundredths, rounded down; nil for other texts.
  var hundredths: UInt64? {
    let parts = split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = parts.first?.wholeNumber, whole < UInt64.max / 200 else {
      return nil
    }
    guard parts.count == 2 else { return whole * 100 }
    guard !parts[1].isEmpty, parts[1].allSatisfy(\.isDigit) else { return nil }
    let digits = Array((parts[1].prefix(2) + [0x30, 0x30]).prefix(2))
    return whole * 100 + UInt64(digits[0] - 0x30) * 10 + UInt64(digits[1] - 0x30)
  }

  /// `42%` or `42.3%` in hundredths of a percent; nil for other texts, and above 100.
  var percent: UInt64? {
    guard last == UInt8(ascii: "%"), let share = dropLast().hundredths,
      share <= ProgressCounts.wholeShare
    else { return nil }
    return share
  }

  /// `512`, `12.3k`, `4.05M`, `1GiB`: an amount with a unit prefix in powers of `step`.
  func amount(step: UInt64) -> UInt64? {
    let digits = prefix { $0.isDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }
    guard let value = digits.hundredths, let factor = Self.factor(self[digits.endIndex...], step)
    else { return nil }
    let product = value.multipliedFullWidth(by: factor)
    return product.high < 100 ? UInt64(100).dividingFullWidth(product).quotient : nil
  }

  private static func factor(_ suffix: Piece, _ step: UInt64) -> UInt64? {
    var suffix = suffix
    let prefixes: [UInt8: Int] = [
      UInt8(ascii: "k"): 1, UInt8(ascii: "K"): 1, UInt8(ascii: "M"): 2, UInt8(ascii: "G"): 3,
      UInt8(ascii: "T"): 4, UInt8(ascii: "P"): 5,
    ]
    let power = suffix.first.flatMap { prefixes[$0] } ?? 0
    if power > 0 { suffix = suffix.dropFirst() }
    let isBinary = suffix.first == UInt8(ascii: "i")
    if isBinary { suffix = suffix.dropFirst() }
    guard suffix.isEmpty || suffix.equals("B") || suffix.equals("bytes") else { return nil }
    return (0..<power).reduce(1) { product, _ in product * (isBinary ? 1024 : step) }
  }

  /// `0:42`, `00:10:34.53`: minutes and seconds or more, in milliseconds; nil for other texts.
  var clockMilliseconds: UInt64? {
    let parts = split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let seconds = parts.last?.hundredths else { return nil }
    var minutes: UInt64 = 0
    for part in parts.dropLast() {
      guard part.count <= 9, let number = part.wholeNumber else { return nil }
      minutes = minutes * 60 + number
    }
    return minutes * 60_000 + (seconds > UInt64.max / 20 ? 0 : seconds * 10)
  }

  /// `n/m` as two amounts that `read` can parse; nil for other texts.
  func ratio(_ read: (Piece) -> UInt64?) -> (completed: UInt64, total: UInt64)? {
    let parts = split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 2, let completed = read(parts[0]), let total = read(parts[1]), total > 0
    else { return nil }
    return (completed, total)
  }

  /// Without any blanks.
  var withoutBlanks: Piece { filter { $0 != UInt8(ascii: " ") }[...] }

  /// `n/m` as whole numbers with n up to m.
  var counted: (completed: UInt64, total: UInt64)? {
    guard let ratio = ratio({ $0.wholeNumber }), ratio.completed <= ratio.total else { return nil }
    return ratio
  }
}
