import JobCore
import JobPage
import JobRuntime
import JobStore
import JobWire
import LinuxSystem
import MachineProbes

/// Runs attempts as process trees on this machine, each below a supervisor that outlives this runner.
final class LocalExecutor: Executor, Part {
  /// What it works with.
  struct Context {
    var home: RunnerHome
    var tools: Tools
    var settings: Settings
    var runtime: JobRuntime
    var store: Store
    var loop: Reactor
    var files: AttemptFiles
    var sampler: PageSampler
    var cleanup: Cleanup
    var notes: RunnerNotes
    /// The umask that this process was started with, and that jobs get.
    var creationMask: UInt32
    /// What else jobs get of this process, unless they bring their own.
    var terms: RunnerTerms?
    /// Which start of the machine this is.
    var boot: String
    /// The number of the mount that run records are made on; nil = not known.
    var mount: UInt64?

    /// As it came where the job has just come, else as it is stored.
    func specification(
      of number: JobNumber, slot: Int? = nil
    ) throws -> LaunchSpecification {
      if let arrived = runtime.arrivedSpecifications[number] {
        return try LaunchSpecification(decoding: arrived)
      }
      guard let stored = try store.specification(number) else {
        throw SupervisionError.noSpecification
      }
      return try LaunchSpecification(stored, of: number, slot: slot)
    }
  }

  let context: Context
  /// The mount that the runner of before made run records on; nil = not known.
  var inheritedMount: UInt64?
  let supervisors: SupervisorSource
  /// Whether each attempt gets a control group.
  let groups: GroupDelegation
  /// The counter of bytes sent to the network; nil where the kernel does not count them.
  let traffic: TrafficCounter?
  /// What attempts have used of energy.
  let energy: ProcessorEnergy
  /// Live process trees.
  var attempts: [JobNumber: Attempt] = [:]
  /// The one whose supervisor was asked for, and is not there yet.
  var unsettled: Attempt?
  /// Trees that lost their supervisor, until nothing is left of them.
  var reapings: [JobNumber: Reaping] = [:]
  /// Decided and stored, and waiting for something that the machine lacks.
  var held = HeldLaunches()
  /// What waiting jobs are to read, where that was passed on; until their workers have it.
  var inputs: [JobNumber: PassedInput] = [:]
  /// Signals that were chosen in place of SIGTERM.
  var stopSignals: [JobNumber: Int32] = [:]
  /// The same of submissions on their way.
  var expected: [RequestTag: PassedInput] = [:]
  /// Attempts to be looked at again: adopted ones whose supervisor has not said who it is, and those that
  /// cannot be looked at or watched yet.
  var recheck: [JobNumber] = []
  var recheckAt = Instant(nanoseconds: 0)
  /// Attempts whose supervisor is stopped (SIGSTOP), and when to check whether it is needed.
  var stopped: [JobNumber] = []
  var stoppedAt = Instant(nanoseconds: 0)
  /// Groups of attempts that are over in which something still dies.
  var emptying: [ControlGroup] = []
  var emptyAt = Instant(nanoseconds: 0)
  var emptyPause = Interval.zero

  init(
    _ context: Context, supervisors: SupervisorSource, groups: GroupDelegation,
    energy: ProcessorEnergy
  ) {
    self.energy = energy
    self.context = context
    self.supervisors = supervisors
    self.groups = groups
    if case .granted = groups { traffic = .make() } else { traffic = nil }
    supervisors.onAnswer = { [unowned self] in settleSupervisor() }
  }

  var home: RunnerHome { context.home }
  var runtime: JobRuntime { context.runtime }
  var files: AttemptFiles { context.files }
  var sampler: PageSampler { context.sampler }
  var notes: RunnerNotes { context.notes }

  var numbers: any Collection<JobNumber> { attempts.keys }

  func runs(_ number: JobNumber) -> Bool { attempts[number] != nil }

  var nextDue: Instant? {
    let recheck = self.recheck.isEmpty ? nil : recheckAt
    let emptied = emptying.isEmpty ? nil : emptyAt
    let stopped = self.stopped.isEmpty ? nil : stoppedAt
    let meter = attempts.isEmpty ? nil : energy.nextDue
    return [
      supervisors.settleBy, nextReaping, held.tryAgainAt, recheck, emptied, meter, stopped,
    ].compactMap(\.self).min()
  }

  func act(at now: Instant) {
    if let due = supervisors.settleBy, due <= now { settleSupervisor() }
    if let due = nextReaping, due <= now { reaping(at: now) }
    if !attempts.isEmpty, let due = energy.nextDue, due <= now {
      _ = energy.look(at: now, slept: .slept())
    }
    if let due = held.tryAgainAt, due <= now { launchHeld() }
    if !recheck.isEmpty, recheckAt <= now { lookAgain() }
    if !stopped.isEmpty, stoppedAt <= now { letSupervisorsGoOn(at: now) }
    if !emptying.isEmpty, emptyAt <= now { removeEmptied(at: now) }
  }

  func sample(_ number: JobNumber) {
    guard let live = attempts[number] else { return }
    sampler.sample(live)
    if live.group == nil, !live.givesWay { updateWeight(number) }
  }

  func mark(_ number: JobNumber, _ mark: ProgressTrace.Mark) {
    guard let live = attempts[number], let liveJob = runtime.jobs[number] else { return }
    sampler.trace(live, liveJob, mark)
  }

  func isObserved(_ number: JobNumber) -> Bool {
    attempts[number].map { sampler.isObserved($0) } ?? false
  }

  func retire(_ job: LiveJob) {
    inputs[job.number] = nil
    stopSignals[job.number] = nil
    home.paths.forgetInput(of: job)
    context.cleanup.removeAttempts(of: job.number, count: job.attempt)
    // Only a supervisor that was killed has left it.
    if job.details.input == .terminal {
      context.cleanup.tidy(home.terminal(job.number, attempt: job.attempt))
    }
  }

  /// What was removed from a dictionary leaves its room behind.
  func releaseCapacity() {
    if attempts.isEmpty { attempts = [:] }
    if expected.isEmpty { expected = [:] }
  }
}
