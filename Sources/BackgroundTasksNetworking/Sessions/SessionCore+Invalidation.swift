internal import BackgroundTasks
internal import Synchronization

// The invalidation of the session.
extension SessionCore {
  /// Whether its delegate gets the events: another session object may have taken over.
  func isCurrent(_ session: BackgroundSession) -> Bool {
    state.withLock { $0.session === session }
  }

  /// Refuses new tasks; the delegate is notified once all existing ones have ended.
  func invalidate() {
    state.withLock { $0.isInvalid = true }
    invalidateIfDone()
  }

  func invalidateIfDone() {
    let (isDone, session) = state.withLock { state -> (Bool, BackgroundSession?) in
      guard state.isInvalid, !state.isClosed, !state.tasks.keys.contains(where: { $0 > 0 }) else {
        return (false, nil)
      }
      state.isClosed = true
      defer { state.session = nil }
      return (true, state.session)
    }
    guard isDone else { return }
    OpenSessions.shared.close(self)
    BGTaskScheduler.shared.calls.begin()
    queue.async {
      defer { BGTaskScheduler.shared.calls.end() }
      // A requested launch has no more events to deliver.
      self.launch()
      self.folder.close()
    }
    session?.end()
  }

  /// The program makes the session again, which gets the events of running transfers; false when this core
  /// is closed and another one must be made.
  func claim() -> Bool {
    let (isOpen, old) = state.withLock { state -> (Bool, BackgroundSession?) in
      guard !state.isClosed else { return (false, nil) }
      guard state.isInvalid else { return (true, nil) }
      defer { (state.session, state.isInvalid) = (nil, false) }
      return (true, state.session)
    }
    old?.end()
    return isOpen
  }
}
