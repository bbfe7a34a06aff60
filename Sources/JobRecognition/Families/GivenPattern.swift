/// What a person says that progress looks like (`--progress REGEX`).
///
/// One group holds a percentage, two hold n and m; m may also stand before n nowhere: the first group
/// is what is done.
package struct GivenPattern: Recogniser {
  package let name: String
  /// The groups of the first match in a line; nil when there is none.
  private let groups: @Sendable ([UInt8]) -> [[UInt8]]?

  package init(_ pattern: String, groups: @escaping @Sendable ([UInt8]) -> [[UInt8]]?) {
    name = "/\(pattern)/"
    self.groups = groups
  }

  package func take(_ line: OutputLine) -> ProgressCounts? {
    guard let found = groups(line.bytes), let first = found.first else { return nil }
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
