/// Names of what is measured, not done: `val_acc 62.9%`, `cache usage 40%` and `cpu: 80%` are shares of
/// something, and no progress.
enum QualityNames {
  private static let before: Set<String> = [
    "acc", "accuracy", "attempt", "auc", "available", "battery", "busy", "cache", "compression",
    "confidence", "coverage", "cpu", "disk", "dropout", "efficiency", "err", "error", "errors", "f",
    "fail", "failed", "failure", "failures", "fan", "free", "full", "gpu", "hit", "hits",
    "humidity",
    "identity", "idle", "iowait", "load", "loss", "map", "mem", "memory", "miss", "misses",
    "overhead",
    "percentile", "precision", "prob", "probability", "quality", "ram", "rate", "ratio", "recall",
    "reduction", "retries", "retry", "saved", "savings", "score", "similarity", "skipped",
    "sparsity",
    "speed", "swap", "temp", "temperature", "threshold", "throttle", "top", "try", "usage", "used",
    "util",
    "utilisation", "utilization", "volume", "vram", "wait", "warning", "warnings", "weight",
  ]
  private static let after: Set<String> = [
    "accuracy", "busy", "compressed", "compression", "cpu", "coverage", "duplicate", "duplicates",
    "failed", "faster", "free", "full", "hit", "hits", "identical", "idle", "larger", "less",
    "load",
    "loss", "memory", "more", "off", "packet", "ratio", "saved", "similar", "slower", "smaller",
    "used",
  ]

  /// Whether a number between these two says how good or how full something is.
  static func surround(_ prefix: Piece, _ suffix: Piece) -> Bool {
    isQuality(before: prefix) || isQuality(after: suffix) || isArrow(prefix)
  }

  /// The last word, with one number behind it at most: `GPU 0: 40%`.
  private static func isQuality(before prefix: Piece) -> Bool {
    var rest = withoutSeparators(prefix)
    let digits = rest.reversed().prefix { $0.isDigit }.count
    if digits > 0, digits < 4 { rest = withoutSeparators(rest.dropLast(digits)) }
    let word = rest.suffix(rest.reversed().prefix { $0.isLetter }.count)
    return !word.isEmpty && before.contains(lowercase(word))
  }

  private static func isQuality(after suffix: Piece) -> Bool {
    let rest = suffix.trimmed
    // `40% of CPU`, but not `40% of 10 MB`.
    let words = rest.starts(with: "of ") ? rest.dropFirst(3) : rest
    return after.contains(lowercase(words.prefix { $0.isLetter }))
  }

  /// ` => 30.12%`, as compressors tell their ratio; `<=====> 45%` is a bar.
  private static func isArrow(_ prefix: Piece) -> Bool {
    let rest = prefix.withoutBlanksAtEnd
    guard rest.last == UInt8(ascii: ">") else { return false }
    let stem = rest.dropLast()
    let length = stem.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    return (1...2).contains(length) && (stem.dropLast(length).last ?? 0x20) == 0x20
  }

  private static func withoutSeparators(_ piece: Piece) -> Piece {
    var rest = piece
    while let last = rest.last,
      [0x20, UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: "("), UInt8(ascii: "#")].contains(
        last)
    {
      rest = rest.dropLast()
    }
    return rest
  }

  static func lowercase(_ word: Piece) -> String {
    String(decoding: word.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}

extension Piece {
  var withoutBlanksAtEnd: Piece {
    var rest = self
    while rest.last == 0x20 { rest = rest.dropLast() }
    return rest
  }
}

extension UInt8 {
  /// A letter of ASCII.
  var isLetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }
}
