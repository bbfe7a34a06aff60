internal import Foundation
internal import JobWire
internal import Synchronization

/// The background sessions that this process has, by identifier.
final class OpenSessions: Sendable {
  static let shared: OpenSessions = {
    // A program may end with the very event that it has waited for, and is not to hear it again.
    _ = atexit { OpenSessions.shared.settle() }
    return OpenSessions()
  }()

  private let cores = Mutex<[String: SessionCore]>([:])

  /// The session with the configuration's identifier; it is made once.
  ///
  /// - Throws: why its transfers cannot be the runner's.
  func core(_ configuration: BackgroundSessionConfiguration) throws(WireError) -> SessionCore {
    try cores.withLock { cores throws(WireError) in
      let identifier = configuration.identifier ?? ""
      if let core = cores[identifier], core.claim() { return core }
      let core = try SessionCore(configuration)
      cores[identifier] = core
      return core
    }
  }

  private func settle() {
    for core in cores.withLock({ Array($0.values) }) { core.settle() }
  }

  func close(_ core: SessionCore) {
    cores.withLock { cores in
      if cores[core.identifier] === core { cores[core.identifier] = nil }
    }
  }
}
