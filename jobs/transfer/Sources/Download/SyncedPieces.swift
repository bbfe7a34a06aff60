internal import Foundation
internal import Glibc
internal import Synchronization

/// The pieces that a separate thread has written to the disk.
final class SyncedPieces: Sendable {
  /// One round at a time is under way; a round that was forgotten meanwhile does not count when it ends.
  struct State {
    private var isBusy = false
    private var round = 0
    private var arrived: [Piece]?

    /// Starts a round and returns its number; nil while another one is under way.
    mutating func begin() -> Int? {
      defer { isBusy = true }
      return isBusy ? nil : round
    }

    /// Ends a round: its `pieces` are on the disk; nil = writing failed.
    mutating func end(_ round: Int, _ pieces: [Piece]?) {
      isBusy = false
      if round == self.round { arrived = pieces ?? arrived }
    }

    /// The received data belongs to another file from now on.
    mutating func forget() {
      round += 1
      arrived = nil
    }

    /// The pieces that have reached the disk since the last call.
    mutating func take() -> [Piece]? {
      defer { arrived = nil }
      return arrived
    }
  }

  private let state = Mutex(State())

  func begin(_ pieces: [Piece], _ descriptor: Int32) {
    guard let round = state.withLock({ $0.begin() }) else { return }
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { return state.withLock { $0.end(round, nil) } }
    Thread.detachNewThread {
      let isDone = fdatasync(copy) == 0
      close(copy)
      self.state.withLock { $0.end(round, isDone ? pieces : nil) }
    }
  }

  func forget() { state.withLock { $0.forget() } }

  func take() -> [Piece]? { state.withLock { $0.take() } }
}
