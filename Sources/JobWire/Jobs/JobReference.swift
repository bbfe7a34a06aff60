package import JobCore

/// A person's reference to a job: by number, by identifier (of its latest job), or by the number of jobs
/// submitted after it.
package enum JobReference: Hashable, Sendable, CustomStringConvertible {
  case number(JobNumber)
  case identifier(JobIdentifier)
  /// The job that was submitted last (0), or the one this many before it.
  case latest(back: Int)
  /// The job that was submitted with this key.
  case key(String)

  /// Parses a person's reference after a verb: `12`, `io.jobrun.samples.export.trip`, `@`, or `@~1`; programs
  /// may also use a key, `@=KEY`.
  package init(_ text: String) throws(WireError) {
    if text.hasPrefix("@="), text.utf8.count > 2 {
      self = .key(String(text.dropFirst(2)))
    } else if text.hasPrefix("@") {
      guard text == "@" || text.hasPrefix("@~"),
        let back = Int(text == "@" ? "0" : text.dropFirst(2)),
        back >= 0
      else {
        throw WireError(
          .usage, "\(text.quoted) names no job; @ is the latest one, @~1 the one before it")
      }
      self = .latest(back: back)
    } else if let number = UInt64(text), number > 0 {
      self = .number(JobNumber(number))
    } else if !text.contains("."), text.allSatisfy({ $0.isNumber || $0 == "-" }) {
      throw WireError(.usage, "\"\(text)\" is not a job number; numbers start at 1")
    } else if let identifier = JobIdentifier(text) {
      self = .identifier(identifier)
    } else {
      let problem = JobIdentifier.problem(in: text) ?? "it is malformed"
      throw WireError(.usage, "\"\(text)\" is neither a job number nor an identifier: \(problem)")
    }
  }

  package var description: String {
    switch self {
    case .number(let number): number.description
    case .identifier(let identifier): identifier.text
    case .latest(let back): back == 0 ? "@" : "@~\(back)"
    case .key(let key): "@=\(key)"
    }
  }
}
