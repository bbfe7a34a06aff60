/// How the machines of a pool are called.
package enum MachineName {
  /// The machine of the runner; all others have the names of their engines.
  package static let here = "here"
}

/// What the helper of another machine says of it.
package enum Survey: Hashable, Sendable {
  case facts(MachineFacts)
  /// It cannot be reached; the sentence says why.
  case silent(String)
}
