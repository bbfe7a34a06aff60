/// The version of all of jobrun: the command, the runner and the library are released together.
package enum Version {
  /// Semantic version, as `jobrun --version` and `runner status` show it.
  package static let text = "0.1.0"
}
