package import JobWire
package import LinuxSystem

/// Why a bundle, or a definition in it, is not accepted.
package enum BundleError: Error, Hashable, Sendable {
  /// A malformed manifest.
  case manifest(ManifestError)
  /// Another user may have written it, or may change it.
  case untrusted(TrustedPath.Problem)

  /// One sentence.
  package var message: String {
    switch self {
    case .manifest(let error): error.message
    case .untrusted(let problem): problem.sentence
    }
  }
}

extension BundleSearch {
  /// Whether the files must be safe from other users.
  package enum Trust: Hashable, Sendable {
    /// They must be; `owner`, who wrote the running program, is trusted, too.
    case checked(owner: UInt32?)
    /// The bundle of the installation: a user who can change it can change the program, too.
    case given

    /// The files must be safe from all other users.
    package static let checked = checked(owner: nil)
  }

  static func passedOver(_ path: String, _ problem: TrustedPath.Problem) -> String {
    let reason =
      problem.path == path ? "it \(problem.reason)" : problem.description
    return "\(path) was skipped: \(reason)"
  }
}
