package import LinuxSystem

/// Why a page, a run record or a launch order cannot be used.
package enum JobPageError: Error, Hashable, Sendable, CustomStringConvertible {
  case system(SystemError)
  /// The file is not a page of a version that this program supports.
  case notPage(path: String)
  /// A truncated or malformed launch specification or order; one phrase says where.
  case malformed(String)

  package var description: String {
    switch self {
    case .system(let error): error.description
    case .notPage(let path): "\(path) is not a progress page of version \(PageLayout.version)"
    case .malformed(let what): "the launch order is damaged: \(what)"
    }
  }

  /// Runs `body` and wraps the system's errors.
  package static func wrapping<Value: ~Copyable>(
    _ body: () throws(SystemError) -> Value
  ) throws(JobPageError) -> Value {
    do throws(SystemError) { return try body() } catch { throw .system(error) }
  }
}
