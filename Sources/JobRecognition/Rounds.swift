/// Notices that a bar starts again: from then on it shows one round of an unknown number.
struct Rounds: Hashable, Sendable {
  private struct Mark: Hashable, Sendable {
    var counts: ProgressCounts
    /// Which recogniser it was.
    var index: Int
  }

  /// From 1.
  private(set) var number = 1
  private var last: Mark?

  /// Takes the next counts of the recogniser with this index.
  mutating func read(_ counts: ProgressCounts, by index: Int) {
    defer { last = Mark(counts: counts, index: index) }
    guard let last, last.counts.total > 0, counts.total > 0 else { return }
    let before = last.counts.fraction
    let now = counts.fraction
    guard now < before else { return }
    // A total that grows makes the share fall, and nothing starts again.
    if last.index == index, counts.completed >= last.counts.completed { return }
    if (before >= 0.9 && now <= 0.5) || (before >= 0.6 && now <= 0.25) { number += 1 }
  }

  /// What is told now is of another kind: it is the first round of that.
  mutating func restart() {
    self = Rounds()
  }
}

extension ProgressCounts {
  /// 0…1; 0 without a total.
  var fraction: Double { total == 0 ? 0 : min(1, Double(completed) / Double(total)) }
}
