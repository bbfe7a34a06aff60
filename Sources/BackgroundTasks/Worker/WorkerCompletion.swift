internal import Dispatch
internal import Synchronization

/// Waits for both ends of a job: its task is completed, and its launch handler has returned; and then for the
/// program's remaining calls.
final class WorkerCompletion: Sendable {
  private struct State {
    var code: Int32?
    var hasReturned = false
    var isDone = false
  }

  /// The maximum time that a program may continue after it has completed its task.
  private static let handlerGrace = DispatchTimeInterval.seconds(5)

  private let state = Mutex(State())
  private let rest: ProcessRest?
  private let whenDone: @Sendable (Int32) -> Void

  /// `whenDone` gets the exit code, once; with `rest`, not before the process has come to it.
  init(rest: ProcessRest?, _ whenDone: @escaping @Sendable (Int32) -> Void) {
    self.rest = rest
    self.whenDone = whenDone
  }

  func completed(code: Int32) {
    state.withLock { $0.code = code }
    endIfReady()
    DispatchQueue.errands.asyncAfter(deadline: .now() + Self.handlerGrace) {
      self.announce()
    }
  }

  func handlerReturned() {
    state.withLock { $0.hasReturned = true }
    endIfReady()
  }

  private func endIfReady() {
    guard state.withLock({ $0.code != nil && $0.hasReturned }) else { return }
    guard let rest else { return announce() }
    rest.whenReached { self.announce() }
  }

  private func announce() {
    let code: Int32? = state.withLock { state in
      guard let code = state.code, !state.isDone else { return nil }
      state.isDone = true
      return code
    }
    if let code { whenDone(code) }
  }
}
