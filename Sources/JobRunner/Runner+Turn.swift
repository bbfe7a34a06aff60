import JobCore
import JobRuntime
import JobWire
import LinuxSystem

// The runtime decides and stores; here is what it works with, and what is done about its turns.
extension Runner {
  /// The rules' view of all jobs.
  var core: Scheduler { _read { yield runtime.scheduler } }

  /// Live jobs beside what the core holds of them.
  var cards: CardTable {
    _read { yield runtime.jobs }
    _modify { yield &runtime.jobs }
  }

  /// What happened and was not decided yet.
  var inbox: [Event] {
    _read { yield runtime.inbox }
    _modify { yield &runtime.inbox }
  }

  /// The newest event's sequence number.
  var sequence: UInt64 { runtime.sequence }

  /// Takes everything that happened through the runtime, until nothing is left to decide.
  ///
  /// Acting may bring new events (a sample's answer); they take another turn.
  func settle() {
    while let turn = nextTurn() { carryOut(turn) }
  }

  private func nextTurn() -> Turn? {
    // A store that is mended in between asks what it was before.
    var journal = self.journal
    defer { self.journal = journal }
    journal.plan.settings = configuration.onEnd
    let turn = runtime.turn(at: moment, &journal)
    if turn?.refusal != nil { runtime.putOffRetry(from: clock()) }
    return turn
  }

  /// Tells, acts, tidies up.
  ///
  /// Whoever asked has the answer before a process is started, which takes far longer.
  private func carryOut(_ turn: Turn) {
    if let refusal = turn.refusal { note("cannot store: \(refusal.message)") }
    for acceptance in turn.accepted { takeIn(acceptance) }
    // What is told must outlive this runner: where the store takes nothing, the pages say it.
    if turn.refusal != nil { act(on: turn.actions) }
    publish(turn)
    connections.flush()
    for acceptance in turn.accepted {
      if acceptance.isRedone {
        startAfresh(acceptance.number)
      } else {
        adoptInput(of: acceptance.number)
      }
    }
    planSuccessors(of: turn.lines)
    if turn.refusal == nil { act(on: turn.actions) }
    notify(of: turn.lines)
    endCommands.begin(journal.takePlanned())
    for number in turn.ended { retire(number) }
  }

  /// What came with a job that is accepted is its own from now on.
  private func takeIn(_ acceptance: Turn.Acceptance) {
    let number = acceptance.number
    if let mark = cards[number]?.host?.mark { hosts[mark]?.jobs.insert(number) }
    guard let luggage = luggage.removeValue(forKey: acceptance.tag) else { return }
    if let input = luggage.input { inputs[number] = input }
    if let predecessor = luggage.successorOf { successors[predecessor] = nil }
  }

  private func act(on actions: [Effect]) {
    for action in actions {
      switch action {
      case .launch(let number, let attempt, let gpus):
        launch(number, attempt: attempt, gpus: gpus)
      case .sample(let number): sample(number)
      case .stop(let number, let reason, let deadline):
        stop(number, reason: reason, deadline: deadline)
      case .kill(let number): kill(number)
      case .probe: probeAgain()
      case .released(let number): released(number)
      case .announce, .reply: break
      }
    }
  }

  /// A job is stopped whose launch still waits for what the machine lacks: it never begins.
  func forgetHeldLaunch(of number: JobNumber) {
    for case .launch(number, let attempt, _) in held.launches {
      let end = RunEnd(status: .cannotStart("it was stopped before it began"))
      // Why it did not begin yet says nothing any more.
      cards[number]?.warning = nil
      inbox.append(.finished(number, attempt: attempt, end))
    }
    held.launches.removeAll { $0.number == number }
    if held.launches.isEmpty { held = HeldLaunches() }
  }

  /// The job as it is now, after a look at its page; nil for one that is not live.
  func freshObject(of number: JobNumber) -> JobStatus? {
    sample(number)
    return object(of: number)
  }

  /// The job as it was last seen; nil for one that is not live.
  func object(of number: JobNumber) -> JobStatus? { runtime.object(of: number, at: moment) }
}
