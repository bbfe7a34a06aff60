import JobCore
import JobRuntime

// Processes that host tasks: they outlive runners, their tasks cannot be ended from outside, and all their
// running and waiting tasks end with them.
extension Life {
  /// How many there are at a time.
  static let hostCount = 2

  func host(_ index: Int) -> JobHost {
    JobHost(mark: "host \(index)", pid: Int32(index), startTime: 0)
  }

  /// Whether the process with this mark is there.
  func isAlive(_ mark: String) -> Bool { aliveHosts.contains { host($0).mark == mark } }

  /// Gives an attempt to its process; without it, it is over.
  mutating func offer(_ number: JobNumber, _ attempt: Int, _ gpus: [String], to mark: String) {
    guard isAlive(mark) else {
      return post(.finished(number, attempt: attempt, RunEnd(status: .hostEnded)))
    }
    let begun = begin(number, attempt, gpus)
    attempts[begun].host = mark
    plan(.supervisorBegins(begun), after: attempts[begun].step.launchDelay)
  }

  /// The process begins the task.
  mutating func beginHosted(_ place: Int) {
    guard attempts[place].hasSupervisor, attempts[place].record == .empty else { return }
    let begun = attempts[place]
    // It first learns that the job has ended.
    guard journal.rows[begun.number] != nil else {
      attempts[place].record = .revoked
      leave(place)
      let end = RunEnd(status: .completed)
      return tell(
        .finished(begun.number, attempt: begun.attempt, end), after: dice.milliseconds(200))
    }
    checkStart(begun)
    attempts[place].record = .started
    attempts[place].isRunning = true
    attempts[place].began = time
    tell(.started(begun.number, attempt: begun.attempt), after: begun.step.startDelay)
    let declared: RunEnd.Declared = begun.step.declared == .nothing ? .failure : begun.step.declared
    plan(
      .workerEnds(place, .completed, declared), after: max(.milliseconds(1), begun.step.duration))
  }

  /// The grace is over: the job is reported as ended, and its process keeps the resources.
  mutating func endGrace(of place: Int) {
    let live = attempts[place]
    var end = RunEnd(status: .outlives, declared: live.declared, sample: live.sample(at: time))
    if !live.isRunning { end.declared = .nothing }
    post(.finished(live.number, attempt: live.attempt, end))
  }

  /// A task is complete; its process continues.
  mutating func endHosted(_ place: Int, _ declared: RunEnd.Declared) {
    attempts[place].isRunning = false
    attempts[place].ended = time
    attempts[place].declared = declared
    attempts[place].record = .ended(.completed)
    let left = attempts[place]
    leave(place)
    var end = RunEnd(status: .completed, declared: declared)
    end.sample = left.sample(at: time)
    tell(.finished(left.number, attempt: left.attempt, end), after: dice.milliseconds(200))
  }

  private mutating func leave(_ place: Int) {
    attempts[place].hasSupervisor = false
    living.remove(place)
  }

  /// A process is gone, and another takes its place for submissions to come.
  mutating func killHost(_ mark: String) {
    note("-- \(mark) is killed")
    for place in living.sorted() where attempts[place].host == mark {
      attempts[place].isRunning = false
      attempts[place].ended = attempts[place].ended ?? time
      let lost = attempts[place]
      leave(place)
      blamed[lost.number, default: []].insert(.supervisorLost)
      var end = RunEnd(status: .hostEnded, declared: lost.declared)
      end.sample = lost.sample(at: time)
      tell(.finished(lost.number, attempt: lost.attempt, end), after: dice.milliseconds(20))
    }
    for (number, row) in journal.rows.sorted(by: { $0.key < $1.key }) where row.host?.mark == mark {
      blamed[number, default: []].insert(.supervisorLost)
      tell(.hostLost(number, "its process has ended"), after: .milliseconds(20))
    }
    replaceHost(mark)
  }

  mutating func replaceHost(_ mark: String) {
    aliveHosts = aliveHosts.filter { host($0).mark != mark }
    hosts += 1
    aliveHosts.append(hosts)
    // The submitter is gone, and will not repeat its request.
    for (key, submitter) in submitters where submitter == mark { abandoned.insert(key) }
  }
}
