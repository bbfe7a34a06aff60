package import JobCore

extension JobRange {
  /// `7-9`, both included; nil for what is no range that goes up.
  package init?(_ text: String) {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = UInt64(ends[0]), let last = UInt64(ends[1]),
      JobNumber(first).isPossible, JobNumber(last).isPossible, first <= last,
      last - first < UInt64(Limits.jobsAtOnce)
    else { return nil }
    self.init(first: JobNumber(first), count: Int(last - first) + 1)
  }
}

/// Ascending numbers as a list, in which many that follow on each other are a range: `[3,"7-9"]`.
private struct JobRangeList: FieldValue {
  let numbers: [JobNumber]

  static var wanted: String { "a list of job numbers, or of ranges such as \"7-9\"" }

  func write(to writer: inout JSONWriter) {
    writer.beginArray()
    var index = 0
    while index < numbers.count {
      var end = index
      while end + 1 < numbers.count, numbers[end + 1].value == numbers[end].value + 1 { end += 1 }
      if end - index > 1 {
        writer.value("\(numbers[index])-\(numbers[end])")
      } else {
        for place in index...end { writer.value(numbers[place].value) }
      }
      index = end + 1
    }
    writer.endArray()
  }

  /// Nil also for more than `Limits.prerequisites`, before memory is taken for them.
  static func read(_ value: JSONValue, at place: FieldPlace) -> Self? {
    guard case .array(let elements) = value else { return nil }
    var numbers: [JobNumber] = []
    for element in elements {
      guard numbers.count <= Limits.prerequisites else { return nil }
      if case .natural(let value) = element {
        numbers.append(JobNumber(value))
      } else if case .string(let text) = element, let range = JobRange(text),
        range.count <= Limits.prerequisites
      {
        numbers += (range.first.value...range.last.value).map { JobNumber($0) }
      } else {
        return nil
      }
    }
    return Self(numbers: numbers)
  }
}

extension FieldCoder {
  /// Job numbers, or ranges of them; nothing is written where there are none.
  mutating func ranges(_ numbers: inout [JobNumber], _ name: StaticString) throws(Failure) {
    let list = try coded(numbers.isEmpty ? nil : JobRangeList(numbers: numbers), name)
    if isReading { numbers = list?.numbers ?? [] }
  }
}
