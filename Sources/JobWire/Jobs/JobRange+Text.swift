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

extension JSONWriter {
  /// Ascending numbers as a list, in which many that follow on each other are a range: `[3,"7-9"]`.
  mutating func field(_ name: StaticString, ranges numbers: [JobNumber]) {
    key(name)
    beginArray()
    var index = 0
    while index < numbers.count {
      var end = index
      while end + 1 < numbers.count, numbers[end + 1].value == numbers[end].value + 1 { end += 1 }
      if end - index > 1 {
        value("\(numbers[index])-\(numbers[end])")
      } else {
        for place in index...end { value(numbers[place].value) }
      }
      index = end + 1
    }
    endArray()
  }
}
