/// What a person says that progress looks like (`--progress REGEX`).
///
/// One group holds a percentage, two hold n and m; m may also stand before n nowhere: the first group
/// is what is done.
package struct GivenPattern: Recogniser {
  /// Steps that one byte of output may cost; an ordinary pattern takes about four.
  private static let stepsPerByte = 64
  /// Most steps that are saved up for a line that costs more.
  private static let maximumSteps = 100_000

  private let pattern: ProgressPattern
  /// What the next line may cost: whoever gives a pattern that is dear misses progress, and nobody waits.
  private var steps = maximumSteps

  package init(_ pattern: ProgressPattern) {
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
