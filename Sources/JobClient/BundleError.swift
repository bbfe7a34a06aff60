package import JobWire
package import LinuxSystem

/// Why a bundle, or a definition in it, does not count.
package enum BundleError: Error, Hashable, Sendable {
  /// Its files are not what they should be.
  case manifest(ManifestError)
  /// Somebody else may have written it, or may change it.
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
  /// Whether what is read must be safe from other users.
  package enum Trust: Hashable, Sendable {
    /// It must be; `owner`, who wrote the program that runs here already, is trusted, too.
    case checked(owner: UInt32?)
    /// The bundle of the installation: whoever can change that can change the program, too.
    case given

    /// What is read must be safe from everybody else.
    package static let checked = checked(owner: nil)
  }

  static func passedOver(_ path: String, _ problem: TrustedPath.Problem) -> String {
    let reason =
      problem.path == path ? "it \(problem.reason)" : problem.description
    return "\(path) was skipped: \(reason)"
  }
}
