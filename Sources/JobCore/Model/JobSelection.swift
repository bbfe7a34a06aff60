/// A set of jobs that is handled as one.
package enum JobSelection: Hashable, Sendable {
  case range(JobRange)
  case group(GroupName)

  /// Whether it means a job with this number, of this group.
  package func contains(_ number: JobNumber, of group: @autoclosure () -> GroupName?) -> Bool {
    switch self {
    case .range(let range): range.contains(number)
    case .group(let name): group() == name
    }
  }
}
