/// A stretch of a job's life in one state, as far as its trace tells.
package struct StateSpan: Hashable, Sendable {
  package enum State: Hashable, Sendable {
    /// In the queue, or between two attempts.
    case waiting
    case running
    case paused
    /// It has stalled, and the question is open.
    case stalled
    /// It was told to stop.
    case stopping
  }

  package var state: State
  package var from: WallTime
  package var to: WallTime

  package init(_ state: State, from: WallTime, to: WallTime) {
    self.state = state
    self.from = from
    self.to = to
  }

  /// From its submission to its end or to `until`; empty spans are left out.
  ///
  /// `now`: the state of a live job and since when it has that, which its trace may not tell: a short job has
  /// none. Nil for a job that has ended.
  package static func all(
    submitted: WallTime, started: WallTime?, until: WallTime, _ trace: ProgressTrace,
    now: (state: State, since: WallTime?)? = nil
  ) -> [StateSpan] {
    var life = Life(from: submitted)
    if let started { life.enter(.running, at: started) }
    for point in trace.points { life.take(point) }
    if let now, now.state != life.state {
      life.enter(now.state, at: max(now.since ?? life.since, life.since))
    }
    life.enter(nil, at: until)
    return life.spans
  }

  private struct Life {
    private(set) var spans: [StateSpan] = []
    private(set) var state: State? = .waiting
    private(set) var since: WallTime
    private var attempt: Int32?
    /// To which a resume leads back.
    private var beforePause = State.running

    init(from: WallTime) { since = from }

    mutating func enter(_ next: State?, at: WallTime) {
      guard next != state else { return }
      // A clock that was set back.
      let at = max(at, since)
      if let state, at > since { spans.append(StateSpan(state, from: since, to: at)) }
      (state, since) = (next, at)
    }

    mutating func take(_ point: ProgressTrace.Point) {
      if point.attempt != attempt {
        attempt = point.attempt
        // One of which only the end was seen ran between the two ends.
        enter(.running, at: point.mark == .ended ? since : point.at)
      }
      switch point.mark {
      case nil, .warned: break
      case .stalled: enter(.stalled, at: point.at)
      case .answered: enter(.running, at: point.at)
      case .paused:
        if let state, state != .paused { beforePause = state }
        enter(.paused, at: point.at)
      case .resumed: enter(beforePause, at: point.at)
      case .stopping: enter(.stopping, at: point.at)
      case .ended: enter(.waiting, at: point.at)
      }
    }
  }
}
