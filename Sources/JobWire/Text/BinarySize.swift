/// Byte counts as people type them, and of memory and limits as they are shown: `4G`, `512M`, `1.5G`, `4GiB`, `4000000`; K, M, G and T are powers
/// of 1024, as in `ulimit` and systemd, and `kB`, `MB`, `GB`, `TB` powers of 1000.
package enum BinarySize {
  /// - Throws: `usage`, with a sentence about the correct form.
  package static func parse(_ text: String) throws(WireError) -> UInt64 {
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let name = text.dropFirst(number.count).lowercased()
    guard let unit = units[name], let count = bytes(String(number), unit) else {
      throw WireError(
        .usage, "\(text.quoted) is not a size; write a number and a unit, as in 512M, 4G or 1.5G")
    }
    return count
  }

  /// For people: `900 B`, `1.5 GiB`, `4 GiB`.
  package static func format(_ bytes: UInt64) -> String {
    guard bytes >= 1024 else { return "\(bytes) B" }
    var scale = 1
    // Rounding may give 1024 of a unit; use the next one then.
    while scale < names.count, tenths(bytes, scale) >= 10_240 { scale += 1 }
    let shown = tenths(bytes, scale)
    let decimals = shown % 10 == 0 || shown >= 1000 ? "" : ".\(shown % 10)"
    return "\(shown / 10)\(decimals) \(names[scale - 1])"
  }

  /// The exact form that `parse` reads, in the largest unit that divides it: `4G`, `1536M`, `1000`.
  package static func formatExactly(_ bytes: UInt64) -> String {
    var (count, unit) = (bytes, "")
    for larger in ["K", "M", "G", "T"] {
      guard count >= 1024, count.isMultiple(of: 1024) else { break }
      (count, unit) = (count >> 10, larger)
    }
    return "\(count)\(unit)"
  }

  private static let names = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]

  private static let units: [String: UInt64] = [
    "": 1, "b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40,
    "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
    "kb": 1000, "mb": 1_000_000, "gb": 1_000_000_000, "tb": 1_000_000_000_000,
  ]

  /// Nil if `number` is invalid, or the product has a fraction beyond rounding or does not fit.
  private static func bytes(_ number: String, _ unit: UInt64) -> UInt64? {
    if let whole = UInt64(number) {
      let (product, overflow) = whole.multipliedReportingOverflow(by: unit)
      return overflow ? nil : product
    }
    guard unit > 1, let first = number.utf8.first, first != UInt8(ascii: "."),
      number.utf8.last != UInt8(ascii: "."), let amount = Double(number)
    else { return nil }
    let product = (amount * Double(unit)).rounded()
    return product < 0x1p63 ? UInt64(product) : nil
  }

  /// Tenths of 1024 to the power `scale`, rounded.
  private static func tenths(_ bytes: UInt64, _ scale: Int) -> UInt64 {
    let unit = UInt64(1) << (10 * UInt64(scale))
    let (whole, rest) = bytes.quotientAndRemainder(dividingBy: unit)
    return whole * 10 + UInt64((Double(rest) * 10 / Double(unit)).rounded())
  }
}
