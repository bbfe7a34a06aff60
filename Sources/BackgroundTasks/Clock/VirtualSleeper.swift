internal import Synchronization

/// One Swift task that sleeps on a virtual clock; it ends once, by time or by cancellation.
final class VirtualSleeper: Sendable {
  private enum State {
    case awake
    case asleep(CheckedContinuation<Void, any Error>)
    case over
    case cancelledBefore
  }

  private let state = Mutex(State.awake)

  func begin(_ continuation: CheckedContinuation<Void, any Error>) {
    let isCancelled = state.withLock { state -> Bool in
      if case .cancelledBefore = state { return true }
      state = .asleep(continuation)
      return false
    }
    if isCancelled { continuation.resume(throwing: CancellationError()) }
  }

  func end() {
    removeWaiter()?.resume()
  }

  func cancel() {
    removeWaiter(isCancelling: true)?.resume(throwing: CancellationError())
  }

  private func removeWaiter(isCancelling: Bool = false) -> CheckedContinuation<Void, any Error>? {
    state.withLock { state in
      switch state {
      case .asleep(let continuation):
        state = .over
        return continuation
      case .awake:
        state = isCancelling ? .cancelledBefore : .over
        return nil
      case .over, .cancelledBefore: return nil
      }
    }
  }
}
