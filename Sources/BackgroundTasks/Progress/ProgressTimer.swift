internal import Dispatch
internal import Synchronization

/// Calls an action ten times a second until the action returns false, or `stop`.
final class ProgressTimer: Sendable {
  /// The rate at which terminals show progress.
  private static let interval = DispatchTimeInterval.milliseconds(100)

  private let timer = Mutex<(any DispatchSourceTimer)?>(nil)

  /// Has no effect while it is running.
  func start(_ action: @escaping @Sendable () -> Bool) {
    timer.withLock { timer in
      guard timer == nil else { return }
      let new = DispatchSource.makeTimerSource(
        queue: DispatchQueue(label: "jobrun progress", qos: .utility))
      new.schedule(
        deadline: .now() + Self.interval, repeating: Self.interval, leeway: .milliseconds(10))
      new.setEventHandler { [weak self] in
        guard !action() else { return }
        self?.stop()
        // A child that came in between found this timer still there, and started none.
        if action() { self?.start(action) }
      }
      new.activate()
      timer = new
    }
  }

  /// Ends the calls; a current one is finished.
  func stop() {
    timer.withLock { timer in
      timer?.cancel()
      timer = nil
    }
  }
}
