/// Why the runner could not start or continue, in one sentence for a person.
package struct RunnerError: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Another runner holds the lock: no problem for a caller that needed one.
    case alreadyRunning
    /// A folder, the socket or the store cannot be made (73).
    case cannotCreate
    /// Another user could write files that the runner relies on (77).
    case notPermitted
  }

  package var kind: Kind
  package var message: String

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}
