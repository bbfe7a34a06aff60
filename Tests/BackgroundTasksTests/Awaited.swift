import Dispatch
import Synchronization
import TestKit

/// A value that comes once, from any thread.
final class Awaited<Value: Sendable>: Sendable {
  private typealias Waiting = CheckedContinuation<Value, any Error>
  private enum State {
    case open([Waiting])
    case ended(Result<Value, any Error>)
  }

  private let state = Mutex(State.open([]))

  /// Later values are ignored.
  func set(_ value: Value) {
    end(.success(value))
  }

  /// - Throws: ``Overdue`` when it has not come in a time that is enough for anything.
  var value: Value {
    get async throws {
      try await withCheckedThrowingContinuation { continuation in
        let present = state.withLock { state -> Result<Value, any Error>? in
          switch state {
          case .ended(let result): return result
          case .open(let waiting):
            state = .open(waiting + [continuation])
            return nil
          }
        }
        if let present { return continuation.resume(with: present) }
        let limit = Deadline.timeout
        DispatchQueue.global().asyncAfter(
          deadline: .now() + .seconds(Int(limit.components.seconds))
        ) { [weak self] in
          self?.end(.failure(Overdue(awaited: "\(Value.self)", limit: limit, seen: "")))
        }
      }
    }
  }

  private func end(_ result: Result<Value, any Error>) {
    let waiting = state.withLock { state -> [Waiting] in
      guard case .open(let waiting) = state else { return [] }
      state = .ended(result)
      return waiting
    }
    for continuation in waiting { continuation.resume(with: result) }
  }
}
