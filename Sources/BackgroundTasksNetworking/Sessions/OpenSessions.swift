internal import Foundation
internal import JobWire
internal import Synchronization

/// The background sessions of this process, by identifier.
final class OpenSessions: Sendable {
  static let shared: OpenSessions = {
    // A program may exit in the handler of the last event, which must not be delivered again.
    _ = atexit { OpenSessions.shared.awaitHandlers() }
    return OpenSessions()
  }()

  private let cores = Mutex<[String: SessionCore]>([:])

  /// The session with the configuration's identifier, made once.
  ///
  /// - Throws: the reason when the runner cannot make its transfers.
  func core(_ configuration: BackgroundSessionConfiguration) throws(WireError) -> SessionCore {
    try cores.withLock { cores throws(WireError) in
      let identifier = configuration.identifier ?? ""
      if let core = cores[identifier], core.claim() { return core }
      let core = try SessionCore(configuration)
      cores[identifier] = core
      return core
    }
  }

  private func awaitHandlers() {
    for core in cores.withLock({ Array($0.values) }) { core.awaitHandlers() }
  }

  func close(_ core: SessionCore) {
    cores.withLock { cores in
      if cores[core.identifier] === core { cores[core.identifier] = nil }
    }
  }
}
