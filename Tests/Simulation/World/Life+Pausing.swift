import JobCore
import JobRuntime

// Pauses: a paused attempt does nothing until it is resumed, and the page keeps the desired state across
// runners.
extension Life {
  /// The page is written, and the supervisor obeys it.
  mutating func settlePause(_ number: JobNumber, _ pause: Pause?, _ mark: UInt64) {
    guard let place = place(of: number), attempts[place].host == nil else { return }
    attempts[place].pauseMark = mark
    attempts[place].pause = pause
    attempts[place].pausedBefore = runtime?.jobs[number]?.past.paused ?? .zero
    if pause != nil {
      attempts[place].frozenAt = attempts[place].frozenAt ?? time
    } else {
      thaw(place)
    }
  }

  /// Its supervisor resumes it; its delayed end happens now.
  mutating func thaw(_ place: Int) {
    guard let since = attempts[place].frozenAt else { return }
    attempts[place].frozenAt = nil
    attempts[place].frozenFor = attempts[place].frozenFor + time.less(since)
    guard let (status, declared) = attempts[place].heldEnd else { return }
    attempts[place].heldEnd = nil
    plan(.workerEnds(place, status, declared), after: .milliseconds(1))
  }

  /// A stored job, updated from its page.
  func reconciled(_ row: LiveJob) -> LiveJob {
    guard !rebooted, !row.waits,
      let place = attempts.lastIndex(where: {
        $0.number == row.number && $0.attempt == row.attempt
      }), attempts[place].pauseMark > row.past.pauseMark
    else { return row }
    var row = row
    row.past.pauseMark = attempts[place].pauseMark
    let length = attempts[place].pausedBefore.less(row.past.paused)
    row.past.paused = row.past.paused + length
    row.past.runningSince = row.past.runningSince.map { $0 + length }
    if let pause = attempts[place].pause {
      guard !row.isStopping else { return row }
      row.state = .paused(
        Pause(since: pause.since, keepsSlot: pause.keepsSlot, until: pause.until))
    } else if case .paused(let pause) = row.state {
      row.state = pause.stalledSince.map { .stalled(since: $0) } ?? .running
    }
    return row
  }

  /// The next runner makes page and tree match its state.
  mutating func settleAdopted(_ row: LiveJob) {
    guard let place = place(of: row.number), attempts[place].record == .started else { return }
    let mark = attempts[place].pauseMark
    guard mark > 0 || row.past.pauseMark > 0 else { return }
    if case .paused(let pause) = row.state {
      settlePause(row.number, pause, row.past.pauseMark)
    } else {
      settlePause(row.number, nil, max(row.past.pauseMark, (mark + 1) & ~1))
    }
  }

  /// `jobrun runner pause`: stored before it is confirmed.
  mutating func pauseRunner(_ isPaused: Bool) {
    guard runtime != nil, !journal.isFull else { return }
    journal.isRunnerPaused = isPaused
    post(.pauseRunner(isPaused))
  }

  /// Resumes everything that waits for a person.
  mutating func goOn() {
    pauseRunner(false)
    if let runtime { post(.resumeAll(runtime.nextTag())) }
    releaseAll()
    let isAnyStill = journal.rows.values.contains { row in
      if case .paused = row.state { true } else { row.submission.isHeld }
    }
    // A client that has no answer yet may still bring a job that is held.
    let isAnyUntold = agenda.contains { happening in
      switch happening.kind {
      case .ask(let key): told[key] == nil && !abandoned.contains(key)
      case .askTwice(let key): !abandoned.contains(key)
      default: false
      }
    }
    if runtime == nil || isAnyStill || isAnyUntold || journal.isRunnerPaused {
      plan(.calm, after: .minutes(1))
    }
  }
}
