import JobCore
import JobRuntime

// Pauses: what is stopped does nothing until it is let go, and the page says across runners what is to be.
extension Life {
  /// The page is written, and the supervisor does as it says.
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

  /// Its supervisor lets it go on; what it would have done meanwhile it does now.
  mutating func thaw(_ place: Int) {
    guard let since = attempts[place].frozenAt else { return }
    attempts[place].frozenAt = nil
    attempts[place].frozenFor = attempts[place].frozenFor + time.less(since)
    guard let (status, declared) = attempts[place].heldEnd else { return }
    attempts[place].heldEnd = nil
    plan(.workerEnds(place, status, declared), after: .milliseconds(1))
  }

  /// A stored job with what its page knows better.
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
      row.state = .paused(Pause(since: pause.since, keepsSlot: pause.keepsSlot))
    } else if case .paused(let pause) = row.state {
      row.state = pause.stalledSince.map { .stalled(since: $0) } ?? .running
    }
    return row
  }

  /// The next runner brings page and tree to what it knows.
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

  /// `jobrun runner pause`: stored before anybody hears of it.
  mutating func pauseRunner(_ isPaused: Bool) {
    guard runtime != nil, !journal.isFull else { return }
    journal.isRunnerPaused = isPaused
    post(.pauseRunner(isPaused))
  }

  /// Nothing is to stay as it is for want of a person.
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
