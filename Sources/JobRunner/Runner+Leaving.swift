import JobCore
import JobRuntime
import JobWire
import LinuxSystem

/// Why a runner leaves.
enum Departure: Hashable, Sendable {
  /// It was idle for long, or its folders vanished.
  case idle
  /// Asked to stop, and all jobs have ended.
  case stopped
  /// Asked to make room for another runner; jobs continue.
  case replaced
}

/// The time for which a runner serves.
struct RunnerLifetime: Hashable, Sendable {
  let began = WallTime.now()
  /// Why it exits; nil = it keeps running.
  var departure: Departure?
  /// Asked to stop; leaves once the last job has ended.
  var isStopping = false
  /// Since when there has been no live job and no request.
  var idleSince: Instant?
}

extension Runner {
  /// Leaving is all that any signal means: jobs belong to their supervisors and go on.
  func leave(on signals: [Int32]) {
    for signal in signals {
      RunnerLog.write("exiting on \(Signal.name(signal)); jobs keep running")
      lifetime.departure = .replaced
    }
  }

  /// `runner stop` ends first what runs, and also what waits if that is discarded; `runner restart` leaves
  /// all to the next runner.
  func leave(
    _ isRestart: Bool, _ discardsQueue: Bool, _ origin: RequestOrigin, _ client: Client
  ) {
    send(.ok(id: origin.id, .empty), to: client)
    if isRestart {
      lifetime.departure = .replaced
    } else {
      lifetime.isStopping = true
      ask(.shutdown(discardsQueue: discardsQueue))
    }
  }

  /// Leaves when everything that was to stop has stopped, or when nothing was live for long.
  func considerLeaving() {
    guard lifetime.departure == nil else { return }
    if lifetime.isStopping, liveJobs.values.allSatisfy(\.waits) || cannotStoreTheirEnd {
      lifetime.departure = .stopped
    } else if liveJobs.isEmpty, connections.isEmpty, !machine.isAwaited, notifier.isIdle,
      remoteNotices.isIdle,
      endCommands.isIdle, subscriptions.isIdle, inquiries.isIdle
    {
      lifetime.idleSince = lifetime.idleSince ?? .now()
      if let idleDeadline, .now() >= idleDeadline { lifetime.departure = .idle }
    } else {
      lifetime.idleSince = nil
    }
  }

  /// All that is missing is room for how the jobs ended: the next runner learns it from their run
  /// records, and a person who wants this one to leave need not make room first.
  private var cannotStoreTheirEnd: Bool {
    runtime.isHoldingBack
      && liveJobs.values.allSatisfy { liveJob in
        if case .ended = liveJob.state { true } else { false }
      }
  }

  /// When the runner exits because it is idle; nil while it is needed, or when it stays.
  var idleDeadline: Instant? {
    guard configuration.idleMinutes > 0 else { return nil }
    return lifetime.idleSince.map { $0 + .minutes(UInt64(configuration.idleMinutes)) }
  }
}
