/// The result of a probe, with a sentence about its source; or why there is none.
package enum Reading<Fact: Equatable & Sendable>: Equatable, Sendable {
  case present(Fact, why: String)
  case absent(because: String)

  /// The fact; nil when absent.
  package var fact: Fact? {
    switch self {
    case .present(let fact, _): fact
    case .absent: nil
    }
  }

  /// Never empty: where the fact comes from, or why it is absent.
  package var why: String {
    switch self {
    case .present(_, let why): why
    case .absent(let because): because
    }
  }
}

/// Probes one aspect of the machine through the kernel's text files.
///
/// A probe never throws, blocks or crashes: any content, even garbage, has a result.
package protocol Probe: Sendable {
  associatedtype Fact: Equatable & Sendable

  func read(_ tree: SystemTree) -> Reading<Fact>
}
