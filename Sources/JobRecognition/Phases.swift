/// Corrects the shown progress when a bar begins again, or another replaces it.
///
/// The share of the whole is then unknown, because the number of phases is. A fall within a program's own
/// rounding is not shown.
struct Phases: Hashable, Sendable {
  private struct Mark: Hashable, Sendable {
    var counts: ProgressCounts
    /// Which recogniser it was, and which of its bars.
    var index: Int
    var bar: Int
  }

  /// Falls up to this share are an unsteady estimate.
  private static let unsteadiness = 0.03
  /// A bar below this had hardly begun.
  private static let begun = 0.05

  /// From 1.
  private(set) var number = 1
  /// The first is known to be one of several.
  private let areMany: Bool
  private var last: Mark?
  /// The most that was shown while the total grew; nil while it has not.
  private var peak: Double?

  init(areMany: Bool = false) {
    self.areMany = areMany
  }

  /// The note beside the share; nil if it is assumed to cover the whole.
  var note: String? {
    if number > 1 || areMany { return "phase \(number)" }
    return peak == nil ? nil : "of those found so far"
  }

  /// Reads the next counts, and returns those to show.
  mutating func read(_ counts: ProgressCounts, by index: Int, bar: Int) -> ProgressCounts {
    guard counts.total > 0 else { return counts }
    var mark = Mark(counts: counts, index: index, bar: bar)
    defer { last = mark }
    guard let last else { return counts }
    let (before, now) = (last.counts.fraction, counts.fraction)
    // Another notation of the same tells the same.
    let isOther =
      index == last.index ? bar != last.bar : abs(now - before) > Self.unsteadiness
    if isOther, before >= Self.begun {
      begin()
    } else if now < before {
      let grows = !isOther && index == last.index && counts.completed >= last.counts.completed
      if grows {
        if before - now > Self.unsteadiness || peak != nil { peak = max(peak ?? 0, before) }
      } else if before - now > Self.unsteadiness {
        begin()
      } else if counts.unit == last.counts.unit, counts.total == last.counts.total {
        mark.counts = last.counts
      }
    }
    if let peak, now >= peak { self.peak = nil }
    return mark.counts
  }

  private mutating func begin() {
    number += 1
    peak = nil
  }
}

extension ProgressCounts {
  /// 0…1; 0 without a total.
  var fraction: Double { total == 0 ? 0 : min(1, Double(completed) / Double(total)) }
}
