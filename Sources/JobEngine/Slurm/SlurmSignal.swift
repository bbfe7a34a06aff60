/// Jobs to be signalled by `scancel`, one call at a time.
///
/// A restarted controller may reuse a number: a number that is not from the latest poll needs a name.
package struct SlurmSignal {
  private let command: [String]
  /// By the name that the jobs must have; empty = any, and all elements of an array are one request.
  private var ids: [String: Set<String>] = [:]
  package var isUnderWay = false

  /// Well below the limit for a command line (execve(2)).
  private static let most = 20_000

  package init(_ command: [String]) { self.command = command }

  /// By name alone `scancel` cannot distinguish waiting elements of an array.
  package mutating func insert(_ id: String, named name: String = "") {
    ids[name, default: []].insert(id)
  }

  package var isEmpty: Bool { ids.isEmpty }
  package var isDue: Bool { !isUnderWay && !ids.isEmpty }

  /// The next call.
  package mutating func begin() -> [String] {
    isUnderWay = true
    guard let (name, all) = ids.first else { return command }
    let some = all.prefix(Self.most)
    let rest = all.subtracting(some)
    ids[name] = rest.isEmpty ? nil : rest
    return command + (name.isEmpty ? Self.joined(some) : ["--name=\(name)"] + some.sorted())
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
