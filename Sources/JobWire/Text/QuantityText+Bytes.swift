// Sizes of data, in powers of a thousand; `BinarySize` has those of memory and limits, in powers of 1024.
extension QuantityText {
  /// `2.8 GB`; powers of a thousand.
  package static func bytes(_ count: UInt64) -> String {
    let scale = scale(of: count)
    return "\(scaled(count, scale)) \(scale.name)"
  }

  typealias Scale = (divisor: Double, name: String)

  static func scale(of count: UInt64) -> Scale {
    let names = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]
    var scale: Scale = (1, names[0])
    // 999.5 and more would be shown as 1000.
    for name in names.dropFirst() where Double(count) / scale.divisor >= 999.5 {
      scale = (scale.divisor * 1000, name)
    }
    return scale
  }

  /// Three digits at most: `2.84`, `28.4`, `284`.
  static func scaled(_ count: UInt64, _ scale: Scale) -> String {
    let value = Double(count) / scale.divisor
    return fixed(value, scale.divisor == 1 || value >= 99.95 ? 0 : 1)
  }
}
