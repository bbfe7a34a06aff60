/// The figures of one thing, one for each round.
struct Series: Hashable, Sendable {
  var samples: [Double]

  init(_ samples: [Double] = []) {
    self.samples = samples
  }

  /// The middle one; 0 of none.
  var median: Double { quantile(0.5) }

  /// The quantile for this share.
  func quantile(_ share: Double) -> Double {
    guard !samples.isEmpty else { return 0 }
    let sorted = samples.sorted()
    return sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
  }

  var lowest: Double { samples.min() ?? 0 }
  var highest: Double { samples.max() ?? 0 }
}
