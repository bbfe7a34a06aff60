/// The environment of a process, as `NAME=VALUE` entries (environ(7)).
///
/// Searched linearly, because a program needs five names of fifty: a dictionary of all took a tenth of the time
/// of a command that only submits a job.
package struct Environment: Hashable, Sendable {
  private let entries: [[UInt8]]

  /// Entries as the kernel gives them; those without `=` have no name and are never found.
  package init(entries: [[UInt8]]) {
    self.entries = entries
  }

  package init(_ values: [String: String]) {
    entries = values.map { Array("\($0.key)=\($0.value)".utf8) }
  }

  /// The value; nil when it is not set, and the first of several, as in getenv(3).
  package subscript(_ name: String) -> String? {
    for entry in entries {
      var index = 0
      for byte in name.utf8 {
        guard index < entry.count, entry[index] == byte else {
          index = -1
          break
        }
        index += 1
      }
      guard index >= 0, index < entry.count, entry[index] == UInt8(ascii: "=") else { continue }
      return String(decoding: entry[(index + 1)...], as: UTF8.self)
    }
    return nil
  }
}

extension Environment: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, String)...) {
    entries = elements.map { Array("\($0.0)=\($0.1)".utf8) }
  }
}
