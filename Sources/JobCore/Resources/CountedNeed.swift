/// An amount of a counted resource: one that the machine's owner has named and numbered, or processors.
package struct CountedNeed: Hashable, Sendable {
  package var name: String
  /// At least 1.
  package var count: Int

  package init(_ name: String, _ count: Int) {
    self.name = name
    self.count = count
  }

  /// The name of the processors among the counted resources.
  static let processors = "cpu"
}

extension Requirements {
  /// Whether it includes a counted resource.
  var isCounted: Bool { processors > 0 || !counted.isEmpty }

  /// All counted needs, processors first.
  var countedNeeds: [CountedNeed] {
    processors > 0
      ? [CountedNeed(CountedNeed.processors, processors)] + counted : counted
  }
}

/// How many of each there are, and how many running jobs hold.
struct CountedResources: Hashable, Sendable {
  /// By name; processors are not among them.
  var totals: [String: Int] = [:]
  private(set) var held: [String: Int] = [:]

  mutating func take(_ needs: [CountedNeed]) {
    for need in needs { held[need.name, default: 0] += need.count }
  }

  mutating func giveBack(_ needs: [CountedNeed]) {
    for need in needs {
      let left = (held[need.name] ?? 0) - need.count
      held[need.name] = left > 0 ? left : nil
    }
  }
}

extension ResourceLedger {
  /// Of one name; nil where it is not known how many processors there are.
  func total(of name: String) -> Int? {
    guard name == CountedNeed.processors else { return counted.totals[name] ?? 0 }
    return facts.flatMap { $0.processors > 0 ? $0.processors : nil }
  }

  func free(of name: String) -> Int {
    total(of: name).map { $0 - (counted.held[name] ?? 0) } ?? .max
  }

  /// The first counted need that exceeds the free units.
  func shortage(of demand: Requirements) -> CountedNeed? {
    demand.countedNeeds.first { free(of: $0.name) < $0.count }
  }

  /// Why there never are as many as the owner of the machine counts; nil when there are.
  func countedImpossibility(of demand: Requirements) -> String? {
    for need in demand.counted {
      guard let total = counted.totals[need.name] else {
        return
          "the job needs \(need.count) of \(need.name), and this machine has no resource of that name;"
          + " \"resources\" in config.json names them"
      }
      if need.count > total {
        return "the job needs \(need.count) of \(need.name), and this machine has \(total)"
      }
    }
    return nil
  }
}
