/// Slurm's numbers for the elements of arrays.
package enum SlurmElements {
  /// The elements that `4711_[0-3,7%2]` or `4711_7` stands for, and the part before them.
  package static func all(of id: String, most: Int) -> (job: String, indices: [Int]) {
    let parts = id.utf8.split(separator: UInt8(ascii: "_"), maxSplits: 1)
    guard parts.count == 2, let job = String(parts[0]) else { return (id, []) }
    let list = parts[1].drop { $0 == UInt8(ascii: "[") }.prefix {
      $0 != UInt8(ascii: "]") && $0 != UInt8(ascii: "%")
    }
    var indices: [Int] = []
    for range in list.split(separator: UInt8(ascii: ",")) {
      let ends = range.split(separator: UInt8(ascii: "-")).map { Int(Substring($0)) }
      guard let first = ends.first ?? nil, let last = ends.last ?? nil, first <= last else {
        continue
      }
      indices += first...min(last, max(first, most - 1))
    }
    return (job, indices.filter { $0 < most })
  }

  /// The arguments by which `scancel` finds jobs.
  ///
  /// By name alone it cannot distinguish waiting elements of an array.
  package static func arguments(for ids: [String], named name: String) -> [String] {
    name.isEmpty ? joined(ids) : ["--name=\(name)"] + ids.sorted()
  }

  /// `12_[0-5,7]` in place of `12_0`, `12_1` and so on.
  private static func joined(_ ids: some Sequence<String>) -> [String] {
    var words: [String] = []
    var arrays: [String: [Int]] = [:]
    for id in ids {
      let parts = id.utf8.split(separator: UInt8(ascii: "_")).map { Substring($0) }
      // Slurm's form of an element; anything else is taken as it is.
      if parts.count == 2, let index = UInt32(parts[1]) {
        arrays[String(parts[0]), default: []].append(Int(index))
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
