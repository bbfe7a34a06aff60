import JobCore
import JobRuntime
import JobWire
import LinuxSystem

extension Runner {
  /// `runner stop` ends the jobs first; `runner restart` leaves them to the next runner.
  func leave(restart: Bool, asker: RequestOrigin, client: Client) {
    send(.ok(id: asker.id, .empty), to: client)
    if restart {
      departure = .replaced
    } else {
      isStopping = true
      ask(.shutdown)
    }
  }

  /// Leaves when everything that was to stop has stopped, or when nothing was live for long.
  func considerLeaving() {
    guard departure == nil else { return }
    if isStopping, cards.values.allSatisfy(\.waits) || cannotStoreTheirEnd {
      departure = .stopped
    } else if cards.isEmpty, connections.isEmpty, !machine.isAwaited, notifier.isIdle,
      endCommands.isIdle
    {
      idleSince = idleSince ?? clock()
      if let idleDeadline, clock() >= idleDeadline { departure = .idle }
    } else {
      idleSince = nil
    }
  }

  /// All that is missing is room for how the jobs ended: the next runner learns it from their run
  /// records, and a person who wants this one to leave need not make room first.
  private var cannotStoreTheirEnd: Bool {
    runtime.isHoldingBack
      && cards.values.allSatisfy { card in
        if case .ended = card.state { true } else { false }
      }
  }

  /// When the runner leaves because nobody needs it; nil while somebody does, or when it stays.
  var idleDeadline: Instant? {
    guard configuration.idleMinutes > 0 else { return nil }
    return idleSince.map { $0 + .minutes(UInt64(configuration.idleMinutes)) }
  }
}
