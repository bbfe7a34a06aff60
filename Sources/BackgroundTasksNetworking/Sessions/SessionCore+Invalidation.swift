internal import BackgroundTasks
internal import Synchronization

// The end of the session.
extension SessionCore {
  /// Whether its delegate is the one that hears of everything: another object may have taken that over.
  func isCurrent(_ session: BackgroundSession) -> Bool {
    state.withLock { $0.session === session }
  }

  /// No task is made any more; the delegate hears of it once all that are there have ended.
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
      // One that was asked for has nothing to tell any more.
      self.launch()
      self.folder.close()
    }
    session?.end()
  }

  /// The program makes the session again: what is under way is told to that one; false when this core is
  /// closed, and another one is to be made.
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
