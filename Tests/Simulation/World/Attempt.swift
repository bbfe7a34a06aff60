import JobCore

/// The truth about one attempt: its supervisor, its worker, its run record.
struct Attempt {
  enum Record: Hashable {
    case empty, revoked, started
    case ended(RunEnd.Status)
  }

  let number: JobNumber
  let attempt: Int
  let step: WorkPlan.Step
  let gpus: [String]
  /// Of a job that the runner picked the moment for.
  var bundle: JobIdentifier?
  /// It runs elsewhere.
  var engine: String?
  /// The mark of the process that runs it; nil = a supervisor does.
  var host: String?
  var record = Record.empty
  /// The supervisor's process exists.
  var hasSupervisor = true
  /// The worker's tree exists.
  var isRunning = false
  /// When its worker began, in virtual time.
  var began = Interval.zero
  /// The worker's declaration when it ended by itself.
  var declared = RunEnd.Declared.nothing
  /// When its page stopped changing.
  var ended: Interval?
  var wasToldToStop = false
  /// Whether it was given up, and still runs.
  var isLeft = false
  /// The pause mark on the page, which outlives the runner.
  var pauseMark: UInt64 = 0
  var pausedBefore = Interval.zero
  var pause: Pause?
  /// When its processes were stopped, and for how long they were before.
  var frozenAt: Interval?
  var frozenFor = Interval.zero
  /// The end that was delayed by a pause.
  var heldEnd: (RunEnd.Status, RunEnd.Declared)?

  /// Its supervisor holds the lock on the run record.
  var isLocked: Bool { hasSupervisor && record == .started }

  /// The sample of its page at `time`.
  func sample(at time: Interval) -> PageSample {
    var sample = PageSample()
    guard record != .empty, record != .revoked else { return sample }
    let now = ended.map { min($0, time) } ?? time
    let own = min(frozenAt ?? now, now).less(frozenFor)
    let lived = own.less(began)
    let interval = max(1, step.interval.nanoseconds)
    let advanced = min(lived, step.advancesFor).nanoseconds / interval
    sample.completed = advanced
    sample.total = step.total == 0 ? 0 : max(step.total, 1)
    sample.reports =
      min(lived, step.reportsFor).nanoseconds / interval
      - min(
        advanced, min(lived, step.reportsFor).nanoseconds / interval)
    sample.logBytes = sample.completed + sample.reports
    return sample
  }

  /// The end that a runner gets once the record is unlocked.
  func end(at time: Interval) -> RunEnd {
    var end = RunEnd(status: .supervisorLost, declared: declared, sample: sample(at: time))
    switch record {
    case .ended(let status): end.status = status
    case .empty, .revoked:
      end.status = .cannotStart("its supervisor ended before the job began")
    case .started: break
    }
    if case .ended = record { end.processorTime = (ended ?? time).less(began) }
    return end
  }
}

/// A thing that will happen at its time unless the world changes before.
struct Happening {
  enum Kind {
    case stimulus(Int)
    /// The client asks again with the same key, as long as it has no answer.
    case ask(key: String)
    /// The same request arrives once more, answered or not.
    case askTwice(key: String)
    case supervisorBegins(Int)
    case workerEnds(Int, RunEnd.Status, RunEnd.Declared)
    case recover
    /// The machine is as it should be from now on, so that everything can end.
    case calm
    /// The disk has room again.
    case room
    /// A message on its way to the runner that lived then (its generation).
    case deliver(Event, generation: Int)
  }

  let at: Interval
  let order: Int
  let kind: Kind
}
