/// Why the runner could not start or go on, in one sentence that a person reads.
package struct RunnerError: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Another runner holds the lock: no problem for whoever wanted one.
    case alreadyRunning
    /// A folder, the socket or the store cannot be made (73).
    case cannotCreate
    /// Somebody else may have written what the runner would go by (77).
    case notPermitted
  }

  package var kind: Kind
  package var message: String

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}
