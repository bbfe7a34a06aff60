package import JobWire

/// Progress by a person's pattern (`--progress REGEX`).
///
/// One group is a percentage, two groups are the completed count and the total, in this order.
package struct GivenPattern: Recogniser {
  /// The maximum number of steps per byte of output; an ordinary pattern takes about four.
  private static let stepsPerByte = 64
  /// Most steps that are saved up for a line that costs more.
  private static let maximumSteps = 100_000

  private let pattern: LinePattern
  /// The steps left for the next line: an expensive pattern misses progress instead of causing delays.
  private var steps = maximumSteps

  package init(_ pattern: LinePattern) {
    self.pattern = pattern
  }

  package var name: String { "/\(pattern.text)/" }

  package mutating func read(_ line: OutputLine) -> ProgressCounts? {
    steps = min(max(steps, 0) + (line.bytes.count + 1) * Self.stepsPerByte, Self.maximumSteps)
    guard let found = pattern.groups(in: line.bytes, steps: &steps), let first = found.first else {
      return nil
    }
    guard found.count > 1 else {
      let digits = first.last == UInt8(ascii: "%") ? first.dropLast() : first[...]
      guard let share = digits.trimmed.hundredths, share <= ProgressCounts.wholeShare else {
        return nil
      }
      return ProgressCounts(hundredths: share)
    }
    guard let completed = first[...].trimmed.amount(step: 1000),
      let total = found[1][...].trimmed.amount(step: 1000), total > 0
    else { return nil }
    return ProgressCounts(completed: min(completed, total), total: total)
  }
}
