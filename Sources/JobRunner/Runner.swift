import JobCore
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

/// The runner: one thread that waits, lets the core decide, makes it durable, acts and tells.
///
/// Not `Sendable`: everything in it belongs to the thread that called `run`.
final class Runner {
  /// Why `run` returned.
  enum Departure: Hashable, Sendable {
    /// Nothing to do for long, or its folders vanished.
    case idle
    /// Asked to stop, and everything has ended.
    case stopped
    /// Asked to make room for another runner; jobs go on.
    case replaced
  }

  let home: RunnerHome
  let tools: Tools
  var configuration: RunnerConfiguration
  /// Nil where the system watches no more files: then a change is seen when somebody asks for it.
  let settingsWatch: FileWatch?
  /// What is wrong with the settings as they stand in their file; nil = nothing.
  var settingsProblem: String?
  let store: Store
  /// Which files the store has open: the database and its log.
  var storeMarks: [FileMark?] = []
  /// When a store that is damaged or gone may be replaced again.
  var mendAgainAt = Instant(nanoseconds: 0)
  /// When to look again at files that could not be put back; nil = all are where they belong.
  var homeAgainAt: Instant?
  /// The boot that the instants in the store belong to; nil in a new one.
  var storedBoot: String?
  /// What turns make durable goes through it.
  var journal: StoreJournal
  /// What an earlier runner left in the store, until it is taken in.
  var inheritance: Inheritance
  /// Which start of the machine this is.
  let boot = Boot.identifier()
  /// The umask that this process was started with, and that jobs get.
  let creationMask: UInt32
  var loop: EventLoop
  var listener: UnixListener
  /// Which file the listener is at; another one at its name is somebody else's.
  var socketMark: FileMark?
  let signals: SignalDescriptor
  let alarm: WallAlarm
  /// What the alarm is set to; nil = it is not set.
  var alarmAt: WallTime?
  /// What is decided, stored, told and done, and the jobs that it is about.
  let runtime: JobRuntime
  let started: WallTime
  /// Jobs that run at the same time.
  var slots: Int

  /// Counts looks at pages that showed something new.
  var lastLook: UInt64 = 0
  /// Trees that lost their supervisor, until nothing is left of them.
  var sweeps: [JobNumber: Sweep] = [:]
  let supervisors: SupervisorSource
  /// Live process trees.
  var attempts: [JobNumber: Attempt] = [:]

  /// Processes that host jobs, by their marks.
  var hosts: [String: HostProcess] = [:]
  var lastHost: UInt64 = 0
  /// Hosted jobs that have ended and whose processes still hold something.
  var remains: [JobNumber: HostedRemains] = [:]

  /// Decided and stored, and waiting for something that the machine lacks.
  var held = HeldLaunches()
  /// When connections are taken again after a pause; nil = now.
  var acceptAgainAt: Instant?
  var clients: [UInt64: Client] = [:]
  var lastClient: UInt64 = 0
  var pace = ProgressPace()
  /// Clients with something to write.
  var dirty: Set<UInt64> = []
  var askers: [RequestTag: Asker] = [:]
  /// What belongs to submissions on their way, by their tags, where anything does.
  var luggage: [RequestTag: Luggage] = [:]
  /// Next runs of recurring jobs that the store does not have yet, by the job before.
  var successors: [JobNumber: Successor] = [:]
  /// What waiting jobs are to read, where that was passed on; until their workers have it.
  var inputs: [JobNumber: PassedInput] = [:]

  /// The look for GPUs that is under way.
  var probeCall: HelperCall?
  var gpuProbe: GPUProbe
  let machineProbe: MachineProbe
  var facts: Facts?
  /// Submissions that wait for fresh facts.
  var awaitingFacts: [Event] = []
  /// Who asked for the resources meanwhile.
  var awaitingReport: [Asker] = []

  /// What people are told who do not look.
  var notices: NoticeBox

  /// What is run because jobs have ended.
  var endings = Endings()

  /// Folders that are being removed.
  var removals: [Removal] = []
  /// Ended jobs whose state folders are to go if they are empty.
  var emptied: Set<JobNumber> = []
  var emptyAt = Instant(nanoseconds: 0)
  /// Jobs that ended since the history was last brought to its bounds.
  var endsSincePruning = 0
  /// How many jobs may still be forgotten for their age, and when a new allowance is made.
  var ageAllowance = 0
  var nextAllowanceAt = Instant(nanoseconds: 0)
  /// Bytes that came and went since memory was given back.
  var churn = 0
  /// When it is given back; nil = there is little to give.
  var giveBackAt: Instant?
  /// How often that was put off, because more came and went.
  var givingDelayed = 0
  var departure: Departure?
  /// Asked to stop; leaves once the last job has ended.
  var isStopping = false
  /// Since when nothing has been live and nobody has asked anything.
  var idleSince: Instant?
  /// Adopted attempts whose supervisor has not said who it is, and when to look again.
  var recheck: [JobNumber] = []
  var recheckAt = Instant(nanoseconds: 0)
  /// What a person should know; shown by `jobrun runner status`.
  var notes: [String]

  init(
    home: RunnerHome, tools: Tools, configuration: RunnerConfiguration,
    opened: OpenedStore, creationMask: UInt32
  ) throws {
    self.home = home
    self.tools = tools
    supervisors = SupervisorSource(program: tools.shim)
    self.configuration = configuration
    settingsWatch = try? FileWatch(home.places.configurationFile)
    store = opened.store
    inheritance = opened.inheritance
    self.creationMask = creationMask
    notes = opened.notes + [home.runtimeNote].compactMap(\.self)
    loop = try EventLoop()
    listener = try home.listen()
    signals = try SignalDescriptor([Signal.terminate, Signal.interrupt, Signal.hangup])
    alarm = try WallAlarm()
    socketMark = FileMark(path: home.socket)
    storedBoot = opened.inheritance.boot
    started = WallTime(milliseconds: WallClock.now())
    gpuProbe = GPUProbe(helper: tools.helper, environment: CurrentProcess.environment())
    notices = NoticeBox(environment: CurrentProcess.environment())
    machineProbe = MachineProbe(
      stateDirectory: home.places.stateDirectory,
      tree: .given(Environment(entries: CurrentProcess.environment())))
    slots = configuration.slots ?? Runner.usualSlots
    var rules = JobCore.Configuration(slots: slots)
    // The core has no randomness of its own; each run of the runner spreads retries anew.
    rules.retrySeed = UInt64.random(in: .min ... .max)
    runtime = JobRuntime(
      rules, firstNumber: max(opened.inheritance.nextNumber, home.firstUnusedNumber()),
      sequence: opened.inheritance.sequence, places: home.places)
    journal = StoreJournal(
      store, EndPlan(settings: configuration.onEnd, command: tools.command))
    markStore()
  }

  /// The processors, at least 2: a machine with one core still overlaps waiting and computing.
  static var usualSlots: Int { max(2, CurrentProcess.processorCount()) }

  /// The most connections that leave enough descriptors for the store, for what waiting jobs are to
  /// read and for all jobs that run at the same time.
  var connectionLimit: Int {
    let kept = Limits.ownDescriptors + Limits.jobDescriptors * slots + inputs.count
    return min(Limits.connections, max(1, CurrentProcess.descriptorLimit() - kept))
  }

  func clock() -> Instant { Instant(nanoseconds: AwakeClock.now()) }

  func wallClock() -> WallTime { WallTime(milliseconds: WallClock.now()) }

  /// Now, on both clocks.
  var moment: Moment { Moment(awake: clock(), wall: wallClock()) }

  /// Keeps a sentence for `runner status` and writes it to the runner's log, once in a row.
  func note(_ sentence: String) {
    // What happens again and again must not fill the disk.
    guard notes.last != sentence else { return }
    RunnerLog.write(sentence)
    notes.append(sentence)
    if notes.count > 20 { notes.removeFirst() }
  }

  var status: RunnerStatus {
    var status = RunnerStatus(
      pid: CurrentProcess.identifier, version: Version.text, started: started,
      home: home.places.stateDirectory, socket: home.socket)
    status.live = cards.count
    status.queued = core.queuedCount
    status.running = attempts.count
    status.slots = slots
    status.connections = clients.count
    status.sequence = sequence
    status.notes = notes + [settingsProblem].compactMap(\.self)
    return status
  }
}
