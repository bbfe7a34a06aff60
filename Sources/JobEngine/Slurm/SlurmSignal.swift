/// Jobs to be told something by `scancel`: with one call at a time, and a request of the controller for all
/// elements of an array.
package struct SlurmSignal {
  private let command: [String]
  private var ids: Set<String> = []
  package var isUnderWay = false

  /// What a process may be given (execve(2)) is many times that.
  private static let most = 20_000

  package init(_ command: [String]) { self.command = command }

  package mutating func insert(_ id: String) { ids.insert(id) }

  package var isEmpty: Bool { ids.isEmpty }
  package var isDue: Bool { !isUnderWay && !ids.isEmpty }

  /// The next call.
  package mutating func begin() -> [String] {
    let some = ids.prefix(Self.most)
    ids.subtract(some)
    isUnderWay = true
    return command + Self.joined(some)
  }

  /// `12_[0-5,7]` in place of `12_0`, `12_1` and so on.
  private static func joined(_ ids: some Sequence<String>) -> [String] {
    var words: [String] = []
    var arrays: [String: [Int]] = [:]
    for id in ids {
      let parts = id.utf8.split(separator: UInt8(ascii: "_")).map { Substring($0) }
      if parts.count == 2, let index = Int(parts[1]) {
        arrays[String(parts[0]), default: []].append(index)
      } else {
        words.append(id)
      }
    }
    for (job, indices) in arrays { words.append("\(job)_[\(ranges(indices.sorted()))]") }
    return words.sorted()
  }

  private static func ranges(_ numbers: [Int]) -> String {
    var ranges: [ClosedRange<Int>] = []
    for number in numbers {
      if let last = ranges.last, number <= last.upperBound + 1 {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
    return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
      .joined(separator: ",")
  }
}
