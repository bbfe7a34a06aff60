internal import Dispatch
internal import Synchronization

/// Waits for both ends of a job: its task is completed, and its launch handler has returned.
final class WorkerCompletion: Sendable {
  private struct State {
    var code: Int32?
    var hasReturned = false
    var isDone = false
  }

  /// How long a handler may go on after it has completed its task.
  private static let handlerGrace = DispatchTimeInterval.seconds(5)

  private let state = Mutex(State())
  private let whenDone: @Sendable (Int32) -> Void

  /// `whenDone` gets the exit code, once.
  init(_ whenDone: @escaping @Sendable (Int32) -> Void) {
    self.whenDone = whenDone
  }

  func completed(code: Int32) {
    state.withLock { $0.code = code }
    announceIfDone()
    DispatchQueue.errands.asyncAfter(deadline: .now() + Self.handlerGrace) {
      self.handlerReturned()
    }
  }

  func handlerReturned() {
    state.withLock { $0.hasReturned = true }
    announceIfDone()
  }

  private func announceIfDone() {
    let code: Int32? = state.withLock { state in
      guard let code = state.code, state.hasReturned, !state.isDone else { return nil }
      state.isDone = true
      return code
    }
    if let code { whenDone(code) }
  }
}
