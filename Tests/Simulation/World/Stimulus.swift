package import JobCore

/// One external event for a simulated runner, with its time; a life is a list of them.
package struct Stimulus: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case submit(Submission, WorkPlan)
    /// Many in one.
    case batch(Batch, WorkPlan)
    /// The live job is chosen by this number from those that exist then.
    case cancel(Int, now: Bool)
    case answer(Int, continues: Bool)
    case pause(Int, keepsSlot: Bool, length: Interval?)
    case resume(Int)
    case pauseAll
    /// Pauses all starts, or allows them again.
    case pauseRunner(Bool)
    /// Sets what bundles may do from now on.
    case settings([JobIdentifier: BundleSettings])
    /// Power is short from now on, or is not.
    case saving(Bool)
    /// A resource becomes short, or no longer is; and a user arrives at the machine, or leaves.
    case busy(isPressed: Bool, isAttended: Bool)
    case simulate(Int, Simulation)
    /// Redoes an ended job, chosen in the same way.
    case redo(Int, isForced: Bool)
    /// Holds, releases, moves or edits a live job.
    case steer(Int, Steering)
    /// The machine is different from now on.
    case machine(MachineFacts)
    /// The runner dies at the next instant of this kind and is restarted after a while.
    case crash(CrashPoint, outage: Interval)
    /// All processes die, and the awake clock begins anew.
    case reboot(outage: Interval)
    /// A supervisor and its tree are killed from outside.
    case killSupervisor(Int)
    /// An engine tells of a live job that it may not have been given.
    case lie(Int)
    /// `jobrun runner stop`; another runner starts once all has ended.
    case shutdown(discardsQueue: Bool)
    /// Stores fail for this long.
    case fullDisk(Interval)
    /// Sets the civil clock forward, by this many milliseconds.
    case clock(Int64)
    /// Sets the slots of groups.
    case groups([GroupName: Int])
  }

  /// Virtual time since the beginning.
  package var at: Interval
  /// Its index in its original life: its consequences use a separate random sequence, which stays the same when
  /// other stimuli are dropped.
  package var index: Int
  package var kind: Kind
}

/// Actions of people on waiting jobs; other jobs are chosen by numbers, as in a stimulus.
package enum Steering: Hashable, Sendable {
  case hold
  case release
  case first
  case behind(Int)
  /// `after`: the new prerequisites; nil = unchanged.
  case edit(JobEdit, after: [Int]?)
}

/// Where in a turn of the loop a runner dies.
package enum CrashPoint: Hashable, Sendable, CaseIterable {
  case beforeStoring, withinStoring, afterStoring, afterAnswering, amidActions, afterActions
}

/// The behaviour of a submission's worker, attempt by attempt.
package struct WorkPlan: Hashable, Sendable {
  package struct Step: Hashable, Sendable {
    /// From the launch to the supervisor's lock, and from there to its first announcement.
    var launchDelay: Interval
    var startDelay: Interval
    /// It cannot be started at all.
    var cannotStart = false
    /// How long it works by itself.
    var duration: Interval
    /// Between two reports; it advances up to `advancesFor`, then reports up to `reportsFor`.
    var interval: Interval
    var advancesFor: Interval
    var reportsFor: Interval
    /// 0 = indeterminate.
    var total: UInt64
    /// The delay after a stop; nil = it does not obey.
    var obeysAfter: Interval?
    var status: RunEnd.Status
    var declared: RunEnd.Declared
  }

  /// The last one holds for all further attempts.
  var steps: [Step]

  func step(of attempt: Int) -> Step { steps[min(max(0, attempt - 1), steps.count - 1)] }
}

extension Dice {
  /// A life's worth of stimuli, ascending by time.
  package mutating func stimuli(count: Int) -> [Stimulus] {
    var time = Interval.zero
    return (0..<count).map { index in
      time = time + pause()
      return Stimulus(at: time, index: index, kind: stimulus(index, at: time))
    }
  }

  /// Mostly moments, sometimes none, sometimes hours.
  private mutating func pause() -> Interval {
    switch number(in: 0...99) {
    case 0..<20: .zero
    case 20..<60: milliseconds(5_000)
    case 60..<95: milliseconds(120_000)
    default: milliseconds(6 * 3_600_000)
    }
  }

  private mutating func stimulus(_ index: Int, at time: Interval) -> Stimulus.Kind {
    let choice = Int(number(in: 0...999))
    switch number(in: 0...299) {
    case 0..<90:
      let wall = WallTime(milliseconds: Int64(time.milliseconds))
      if chance(12) { return .batch(batch(key: "key \(index)", at: wall), workPlan()) }
      return .submit(submission(key: "key \(index)", at: wall), workPlan())
    case 90..<104: return .cancel(choice, now: chance(3))
    case 104..<124: return .answer(choice, continues: !chance(3))
    case 124..<132: return .simulate(choice, pick(Simulation.allCases))
    case 132..<152: return .machine(facts())
    case 152..<172: return .crash(pick(CrashPoint.allCases), outage: outage())
    case 180..<187: return .reboot(outage: outage())
    case 187..<195: return .killSupervisor(choice)
    case 172..<180: return .fullDisk(milliseconds(chance(3) ? 120_000 : 5_000))
    case 197..<200: return .groups(groupSlots())
    case 195..<197: return .clock(Int64(number(in: 0...120_000)) - 60_000)
    case 200..<210: return .redo(choice, isForced: chance(4))
    case 210..<225:
      return .pause(
        choice, keepsSlot: chance(3),
        length: chance(2) ? .milliseconds(UInt64(number(in: 0...180_000))) : nil)
    case 225..<243: return .resume(choice)
    case 243..<245: return .pauseAll
    case 245..<250: return .pauseRunner(chance(3))
    case 250..<280:
      return .steer(choice, steering(at: WallTime(milliseconds: Int64(time.milliseconds))))
    case 280..<286: return .settings(settings())
    case 286..<290: return .saving(chance(2))
    case 290..<295: return .lie(choice)
    case 295..<299: return .busy(isPressed: chance(2), isAttended: chance(2))
    default: return chance(2) ? .shutdown(discardsQueue: chance(2)) : .machine(.generous)
    }
  }

  /// `now`: the time of day, to which times to wait for are near.
  package mutating func steering(at now: WallTime) -> Steering {
    switch number(in: 0...9) {
    case 0..<2: return .hold
    case 2..<5: return .release
    case 5..<6: return .first
    case 6..<8: return .behind(Int(number(in: 0...999)))
    default:
      var edit = JobEdit()
      if chance(3) { edit.title = "another" }
      if chance(2) { edit.priority = pick(Submission.Priority.allCases) }
      if chance(3) {
        let delay = Int64(number(in: 0...180_000)) - 20_000
        edit.start =
          chance(3) ? .soon : .notBefore(WallTime(milliseconds: now.milliseconds + delay))
      }
      let after =
        chance(3) ? (0..<Int(number(in: 0...2))).map { _ in Int(number(in: 0...999)) } : nil
      return .edit(edit, after: after)
    }
  }

  private mutating func outage() -> Interval {
    chance(10) ? milliseconds(3_600_000) : milliseconds(500)
  }

  private mutating func workPlan() -> WorkPlan {
    var steps = (0..<3).map { _ in step() }
    // The last step applies to all further attempts: endless deferrals would rightly never end.
    if case .deferred = steps[2].declared { steps[2].declared = .success }
    return WorkPlan(steps: steps)
  }

  private mutating func step() -> WorkPlan.Step {
    let duration = chance(8) ? milliseconds(2 * 3_600_000) : milliseconds(60_000)
    let statuses: [RunEnd.Status] = [
      .exited(0), .exited(0), .exited(0), .exited(3), .signalled(11),
    ]
    return WorkPlan.Step(
      launchDelay: milliseconds(20), startDelay: milliseconds(5), cannotStart: chance(20),
      duration: duration, interval: .milliseconds(number(in: 100...3_000)),
      advancesFor: chance(3) ? milliseconds(20_000) : duration,
      reportsFor: chance(4) ? milliseconds(60_000) : duration, total: chance(4) ? 0 : 40,
      obeysAfter: chance(4) ? nil : milliseconds(12_000), status: pick(statuses),
      declared: pick([
        .nothing, .success, .success, .failure, RunEnd.Declared.deferred(milliseconds(90_000)),
      ]))
  }
}
