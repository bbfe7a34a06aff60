/// A job's standard input.
package enum JobInput: Hashable, Sendable {
  /// Empty: /dev/null.
  case none
  /// The submitter's own standard input, which came with the request; it can be read once.
  case passed
  /// A copy made before the submission, of this many bytes; each attempt reads it from its start.
  case copied(bytes: UInt64)
  /// This file, by its absolute path; each attempt opens it anew.
  case file(String)
  /// Its terminal, which attached clients type into.
  case terminal

  /// The text in `show` and in the job object; nil = empty.
  package var text: String? {
    switch self {
    case .none: nil
    case .passed: "pipe"
    case .copied: "copy"
    case .file(let path): path
    case .terminal: "terminal"
    }
  }

  /// Whether a second attempt reads the same as the first.
  package var isRepeatable: Bool { self != .passed }
}
