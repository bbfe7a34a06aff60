internal import Foundation
internal import LinuxSystem
internal import Synchronization

/// Handles launches of this program for the events of a background session of transfers, whose last transfer
/// has ended while no process of the program had it open.
package final class SessionEvents: Sendable {
  /// Waits until a session has delivered all events of its transfers; whether its delegate received the final
  /// event.
  package typealias Drain = @Sendable () async -> Bool

  struct Handler: Sendable {
    var matches: @Sendable (String) -> Bool
    var body: @Sendable (String) async throws -> Void
  }

  private struct State {
    var handlers: [Handler] = []
    var drains: [String: Drain] = [:]
  }

  /// The variable with the session whose events a process is launched for.
  package static let variable = "JOBRUN_SESSION_EVENTS"
  /// The path of the file that the process with the open session has locked.
  package static let lockVariable = "JOBRUN_SESSION_LOCK"

  private let state = Mutex(State())

  func add(_ handler: Handler) {
    state.withLock { $0.handlers.append(handler) }
  }

  /// The session is open in this process.
  package func opened(_ session: String, drain: @escaping Drain) {
    state.withLock { $0.drains[session] = drain }
  }

  private func drain(of session: String) -> Drain? { state.withLock { $0.drains[session] } }

  /// The launched process's handler; `lock`: see `lockVariable`.
  func registration(for session: String, lock: String?) -> Registration {
    Registration(
      body: .function { task in
        if let reason = Self.reasonToRest(lock) {
          task.message = reason
          return
        }
        try await self.run(session)
      })
  }

  private func run(_ session: String) async throws {
    let matching = state.withLock { $0.handlers }.filter { $0.matches(session) }
    for handler in matching { try await handler.body(session) }
    let (completion, continuation) = AsyncStream<Void>.makeStream()
    guard await Self.tellDelegate(session, whenDone: { continuation.finish() }) else {
      guard !matching.isEmpty else {
        throw JobFailure(
          "this program does not handle the events of the session \(session); declare"
            + " .backgroundTask(.urlSession(\"\(session)\")) or give UIApplication.shared a delegate"
        )
      }
      _ = await drain(of: session)?()
      return
    }
    if let drain = drain(of: session), await !drain() { return }
    for await _ in completion {}
  }

  /// Whether there is a delegate.
  @MainActor
  private static func tellDelegate(
    _ session: String, whenDone: @escaping @Sendable () -> Void
  ) -> Bool {
    guard let delegate = UIApplication.shared.delegate else { return false }
    delegate.application(
      .shared, handleEventsForBackgroundURLSession: session, completionHandler: whenDone)
    return true
  }

  /// Why there is nothing to do: another process was faster.
  private static func reasonToRest(_ lock: String?) -> String? {
    guard let lock, let file = try? File.open(lock, [.read]) else { return nil }
    if (try? file.tryLock()) == false { return "a running process has them" }
    // The folder of each transfer has its number for a name.
    let names = try? File.names(in: File.parent(of: lock))
    return names.map { names in names.contains { Int($0) != nil } ? nil : "none are left" } ?? nil
  }
}
