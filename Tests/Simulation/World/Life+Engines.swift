import JobCore
import JobRuntime

// Attempts that run elsewhere: they wait there, a restart of this machine does not affect them, and the engine
// may end them.
extension Life {
  func isAway(_ place: Int) -> Bool { attempts[place].engine != nil }

  /// The engine has it, and begins it when it likes.
  mutating func handOver(_ place: Int) {
    let begun = attempts[place]
    var delay = begun.step.launchDelay
    for _ in 0..<dice.number(in: 0...3) {
      let code: PendingReason.Code = dice.chance(3) ? .held : .engine
      tell(
        .pending(begun.number, attempt: begun.attempt, PendingReason(code, "others are ahead")),
        after: delay + dice.milliseconds(2_000))
      delay = delay + dice.milliseconds(5_000)
    }
    plan(.supervisorBegins(place), after: delay)
  }

  /// A person or the engine there ends it.
  mutating func endElsewhere(_ place: Int) {
    let number = attempts[place].number
    // An attempt that has not begun never will: its supervisor finds it revoked.
    guard attempts[place].record == .started else {
      attempts[place].record = .revoked
      attempts[place].hasSupervisor = false
      living.remove(place)
      let attempt = attempts[place].attempt
      return tell(
        .finished(number, attempt: attempt, RunEnd(status: .revoked)),
        after: dice.milliseconds(200))
    }
    let end: RunEnd.EngineEnd
    switch dice.number(in: 0...5) {
    case 0:
      blamed[number, default: []].insert(.user)
      end = .cancelled("somebody did")
    case 1:
      blamed[number, default: []].insert(.preempted)
      end = .preempted("others need its place")
    case 2: end = .outOfMemory("it had 1 GB")
    case 3: end = .overLimit("its time was up")
    case 4:
      blamed[number, default: []].insert(.supervisorLost)
      return loseFolder(of: place)
    default:
      blamed[number, default: []].insert(.supervisorLost)
      end = .lost("its node is gone")
    }
    attempts[place].record = .ended(.engine(end))
    attempts[place].isRunning = false
    attempts[place].ended = attempts[place].ended ?? time
    supervisorLeaves(place)
  }

  /// Removes its folder and thus all traces of it: the engine reports that it never began.
  private mutating func loseFolder(of place: Int) {
    attempts[place].record = .ended(.revoked)
    attempts[place].isRunning = false
    attempts[place].ended = attempts[place].ended ?? time
    supervisorLeaves(place)
  }

  /// It is unreachable: the runner gives it up, and it runs for a while.
  mutating func giveUp(_ place: Int) {
    let given = attempts[place]
    attempts[place].isLeft = true
    let end = RunEnd(status: .engine(.unseen("it cannot be reached")))
    post(.finished(given.number, attempt: given.attempt, end))
    plan(.workerEnds(place, .signalled(9), .nothing), after: dice.milliseconds(60_000))
  }

  /// An engine reports on a job of another engine, or of this machine: as in the runner, the rules are asked
  /// first whether the report counts.
  mutating func lie(_ choice: Int) {
    guard let runtime, let number = live(choice), let job = journal.rows[number] else { return }
    let liar = dice.pick(Dice.engines.keys.sorted())
    if job.engine == liar { return }
    guard runtime.scheduler.hears(liar, of: number) == true else { return }
    let lies: [Event] = [
      .started(number, attempt: job.attempt),
      .pending(number, attempt: job.attempt, PendingReason(.engine, "a lie")),
      .finished(number, attempt: job.attempt, RunEnd(status: .revoked)),
      .finished(number, attempt: job.attempt, RunEnd(status: .engine(.lost("a lie")))),
      .finished(number, attempt: job.attempt, RunEnd(status: .exited(0))),
    ]
    let event = dice.pick(lies)
    witness.note(lie: event)
    post(event)
  }

  /// As measured by the node, which samples once a second.
  mutating func ages(of place: Int) -> SampleAges {
    SampleAges(reported: dice.milliseconds(1_000), advanced: dice.milliseconds(1_000))
  }
}
