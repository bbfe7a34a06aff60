/// Jobs to be cancelled or signalled, one call at a time.
///
/// A restarted controller may reuse a number: a number that is not from the latest poll needs a name.
package struct QueueSignal {
  /// By the name that the jobs must have; empty = any, and all of them are one request.
  private var ids: [String: Set<String>] = [:]
  package var isUnderWay = false

  /// Well below the limit for a command line (execve(2)).
  private static let most = 20_000

  package init() {}

  package mutating func insert(_ id: String, named name: String = "") {
    ids[name, default: []].insert(id)
  }

  package var isEmpty: Bool { ids.isEmpty }
  package var isDue: Bool { !isUnderWay && !ids.isEmpty }

  /// The jobs of the next call.
  package mutating func begin() -> (ids: [String], name: String) {
    isUnderWay = true
    guard let (name, all) = ids.first else { return ([], "") }
    let some = all.prefix(Self.most)
    let rest = all.subtracting(some)
    ids[name] = rest.isEmpty ? nil : rest
    return (Array(some), name)
  }
}
