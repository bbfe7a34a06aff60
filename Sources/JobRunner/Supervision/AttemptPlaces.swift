import JobCore
import JobPage

/// The numbers, from 1, that an attempt has of what several jobs share: its slot, and units of counted resources.
///
/// The environment of its launch order keeps them when the runner is started again.
struct AttemptPlaces {
  /// Of its group; 0 if unknown.
  var slot = 0
  /// By the name of the resource, as in a variable's name.
  var units: [String: [Int]] = [:]

  private static let slotName = "JOBRUN_SLOT"
  static let unitsPrefix = "JOBRUN_RESOURCE_"

  init() {}

  /// The smallest numbers that none of the others has.
  ///
  /// `group`: those with the same group. `all`: all on this machine.
  init(for needs: [CountedNeed], group: [AttemptPlaces], all: [AttemptPlaces]) {
    slot = Self.free(1, beside: group.map(\.slot))[0]
    for need in needs {
      let name = Self.variableName(of: need.name)
      let own = units[name] ?? []
      let taken = all.flatMap { $0.units[name] ?? [] } + own
      units[name] = own + Self.free(need.count, beside: taken)
    }
  }

  /// What an earlier runner gave it.
  init(_ specification: LaunchSpecification) {
    for entry in specification.environment {
      let parts = String(decoding: entry, as: UTF8.self).split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let (name, value) = (String(parts[0]), parts[1])
      if name == Self.slotName { slot = Int(value) ?? 0 }
      guard name.hasPrefix(Self.unitsPrefix) else { continue }
      units[String(name.dropFirst(Self.unitsPrefix.count))] =
        value.split(separator: ",").compactMap { Int($0) }
    }
  }

  /// For the environment of its worker.
  var variables: [String] {
    ["\(Self.slotName)=\(slot)"]
      + units.sorted { $0.key < $1.key }.map { name, numbers in
        "\(Self.unitsPrefix)\(name)=\(numbers.map(String.init).joined(separator: ","))"
      }
  }

  /// A name with `-` or `.` would be no variable for a shell.
  private static func variableName(of resource: String) -> String {
    String(resource.map { $0 == "-" || $0 == "." ? "_" : $0 })
  }

  private static func free(_ count: Int, beside taken: [Int]) -> [Int] {
    let taken = Set(taken)
    return Array((1...).lazy.filter { !taken.contains($0) }.prefix(count))
  }
}
