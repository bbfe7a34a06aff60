/// An awaited event did not happen before its deadline, or can no longer happen.
package struct Overdue: Error, Hashable, Sendable, CustomStringConvertible {
  /// The thing awaited, as the end of the sentence "waited for …".
  package var awaited: String
  /// How long the wait was allowed to take.
  package var limit: Duration
  /// The observed state: the text read, the file's content, the process's state.
  package var seen: String

  package init(awaited: String, limit: Duration, seen: String) {
    self.awaited = awaited
    self.limit = limit
    self.seen = seen
  }

  package var description: String {
    "waited \(limit) for \(awaited); seen until then: \(seen.isEmpty ? "nothing" : seen)"
  }
}
