package import JobCore

/// How a person names a job: by number, or by identifier (then the latest job with it is meant).
package enum JobReference: Hashable, Sendable, CustomStringConvertible {
  case number(JobNumber)
  case identifier(JobIdentifier)

  /// Reads what a person typed after a verb: `12`, or `io.jobrun.samples.export.trip`.
  package init(_ text: String) throws(WireError) {
    if let number = UInt64(text), number > 0 {
      self = .number(JobNumber(number))
    } else if !text.contains("."), text.allSatisfy({ $0.isNumber || $0 == "-" }) {
      throw WireError(.usage, "\"\(text)\" is no job number; numbers start at 1")
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
    }
  }
}
