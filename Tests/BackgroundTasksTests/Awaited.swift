import Synchronization

/// A value that comes once, from any thread.
final class Awaited<Value: Sendable>: Sendable {
  private enum State {
    case open([CheckedContinuation<Value, Never>])
    case set(Value)
  }

  private let state = Mutex(State.open([]))

  /// Later values are ignored.
  func set(_ value: Value) {
    let waiting = state.withLock { state -> [CheckedContinuation<Value, Never>] in
      guard case .open(let waiting) = state else { return [] }
      state = .set(value)
      return waiting
    }
    for continuation in waiting { continuation.resume(returning: value) }
  }

  var value: Value {
    get async {
      await withCheckedContinuation { continuation in
        let present = state.withLock { state -> Value? in
          switch state {
          case .set(let value): return value
          case .open(let waiting):
            state = .open(waiting + [continuation])
            return nil
          }
        }
        if let present { continuation.resume(returning: present) }
      }
    }
  }
}
