internal import Foundation
internal import Glibc
internal import Synchronization

/// What a thread of its own has brought to the disk.
final class SyncedPieces: Sendable {
  /// One at a time is on its way; what was forgotten meanwhile does not count when it arrives.
  struct State {
    private var isBusy = false
    private var round = 0
    private var arrived: [Piece]?

    /// Which round it is; nil while another is on its way.
    mutating func begin() -> Int? {
      defer { isBusy = true }
      return isBusy ? nil : round
    }

    /// `pieces` of that round are on the disk; nil = they could not be brought there.
    mutating func end(_ round: Int, _ pieces: [Piece]?) {
      isBusy = false
      if round == self.round { arrived = pieces ?? arrived }
    }

    /// What has come is of another file from now on.
    mutating func forget() {
      round += 1
      arrived = nil
    }

    /// What has arrived since the last time.
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
