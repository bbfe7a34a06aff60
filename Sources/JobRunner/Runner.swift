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
  let settings: Settings
  let store: Store
  /// Which files the store has open: the database and its log.
  var storeMarks: [FileMark?] = []
  /// When a store that is damaged or gone may be replaced again.
  var mendAgainAt = Instant(nanoseconds: 0)
  /// How often that failed in a row.
  var mendFailures = 0
  /// The store is closed, and its successor is not in its place yet.
  var isStoreLost = false
  /// When to look again at files that could not be put back; nil = all are where they belong.
  var homeAgainAt: Instant?
  /// What turns make durable goes through it.
  var journal: StoreJournal
  /// What an earlier runner left in the store, until it is taken in.
  var inheritance: Inheritance
  /// Which start of the machine this is.
  let boot = Boot.identifier()
  /// The umask that this process was started with, and that jobs get.
  let creationMask: UInt32
  let loop: Reactor
  let listener: SocketListener
  let signals: SignalDescriptor
  /// What is decided, stored, told and done, and the jobs that it is about.
  let runtime: JobRuntime
  let started: WallTime

  /// Counts looks at pages that showed something new.
  var lastLook: UInt64 = 0
  /// Trees that lost their supervisor, until nothing is left of them.
  var sweeps: [JobNumber: Sweep] = [:]
  let supervisors: SupervisorSource
  /// Live process trees.
  var attempts: [JobNumber: Attempt] = [:]

  /// Decided and stored, and waiting for something that the machine lacks.
  var held = HeldLaunches()
  /// What belongs to submissions on their way, by their tags, where anything does.
  var luggage: [RequestTag: Luggage] = [:]
  /// Next runs of recurring jobs that the store does not have yet, by the job before.
  var successors: [JobNumber: Successor] = [:]
  /// What waiting jobs are to read, where that was passed on; until their workers have it.
  var inputs: [JobNumber: PassedInput] = [:]

  /// Its parts, each with a state of its own; the loop asks all of them what is due.
  private(set) lazy var parts: [any Part] = [
    listener, feed, hosts, machine, memory, notifier, cleanup, endCommands,
  ]
  private(set) lazy var connections: Connections = Connections(
    loop: loop,
    handlers: Connections.Handlers(
      received: { [unowned self] in take($0, from: $1) },
      read: { [unowned self] in
        // In one turn a crowd may submit more than memory has room for.
        if runtime.drafts.bytes > Limits.submittedBytesAtOnce { settle() }
      },
      ended: { [unowned self] in
        unsubscribe($0)
        hosts.disconnect($0)
      },
      fill: { [unowned self] in fill($0) },
      caughtUp: { [unowned self] in feed.resynchronise($0) },
      limit: { [unowned self] in connectionLimit },
      released: { [unowned self] in memory.note($0) },
      trouble: { [unowned self] in note($0) }))
  private(set) lazy var hosts: HostRegistry = HostRegistry(
    loop: loop, connections: connections,
    handlers: HostRegistry.Handlers(
      isSubmitting: { [unowned self] in runtime.drafts.concern($0) },
      isLive: { [unowned self] in cards[$0] != nil },
      ended: { [unowned self] in hostedProcessEnded($0, $1) },
      gaveUp: { [unowned self] in ask(.hostLost($0, $1)) }))
  private(set) lazy var feed: Feed = Feed(
    connections: connections, store: store, jobs: self,
    trouble: { [unowned self] in note($0) })
  private(set) lazy var lists: JobLists = JobLists(
    connections: connections, store: store, places: home.places, jobs: self)
  private(set) lazy var machine: MachineWatch = MachineWatch(
    loop: loop, helper: tools.helper, stateDirectory: home.places.stateDirectory,
    environment: CurrentProcess.environment(),
    found: { [unowned self] in ask(.machine($0.facts)) },
    trouble: { [unowned self] in note($0) })
  private(set) lazy var memory: MemoryKeeper = MemoryKeeper { [unowned self] in giveBackMemory() }
  private(set) lazy var notifier: Notifier = Notifier(
    loop: loop, helper: tools.helper, environment: CurrentProcess.environment())
  private(set) lazy var endCommands: EndCommands = EndCommands(
    loop: loop,
    launcher: EndCommandLauncher(
      places: home.places, store: store, supervisors: supervisors, creationMask: creationMask),
    store: store, places: home.places, configuration: { [unowned self] in configuration },
    trouble: { [unowned self] in note($0) })
  private(set) lazy var cleanup: Cleanup = Cleanup(
    home: home,
    jobs: Cleanup.Jobs(
      isAnyRunning: { [unowned self] in !attempts.isEmpty },
      isRunning: { [unowned self] in attempts[$0] != nil },
      isLive: { [unowned self] in cards[$0] != nil }),
    trouble: { [unowned self] in note($0) })
  private(set) lazy var history: HistoryKeeper = HistoryKeeper(
    store: store,
    // Whoever has cancelled more jobs than the history keeps is told of each of them first.
    mayForget: { [unowned self] in !connections.all.contains(where: \.isOwedNamed) },
    forget: { [unowned self] in cleanup.removeAll(of: $0) },
    trouble: { [unowned self] in note($0) })

  var departure: Departure?
  /// Asked to stop; leaves once the last job has ended.
  var isStopping = false
  /// Since when nothing has been live and nobody has asked anything.
  var idleSince: Instant?
  /// Adopted attempts whose supervisor has not said who it is, and when to look again.
  var recheck: [JobNumber] = []
  var recheckAt = Instant(nanoseconds: 0)
  /// Which files earlier runners died of; nil where that cannot be kept.
  var trapLog: TrapLog?
  /// What a person should know; shown by `jobrun runner status`.
  var notes: [String]

  init(
    home: RunnerHome, tools: Tools, configuration: RunnerConfiguration,
    opened: OpenedStore, creationMask: UInt32
  ) throws {
    self.home = home
    self.tools = tools
    supervisors = SupervisorSource(program: tools.shim)
    settings = Settings(configuration, path: home.places.configurationFile)
    trapLog = try? TrapLog(home.places.runnerTraps)
    store = opened.store
    inheritance = opened.inheritance
    self.creationMask = creationMask
    notes = opened.notes + [home.runtimeNote].compactMap(\.self)
    loop = try Reactor()
    listener = SocketListener(try home.listen(), at: home.socket, loop: loop)
    signals = try SignalDescriptor([Signal.terminate, Signal.interrupt, Signal.hangup])
    started = WallTime(milliseconds: WallClock.now())
    var rules = Scheduler.Configuration(slots: settings.slots)
    // The core has no randomness of its own; each run of the runner spreads retries anew.
    rules.retrySeed = UInt64.random(in: .min ... .max)
    runtime = JobRuntime(
      rules, firstNumber: max(opened.inheritance.nextNumber, home.firstUnusedNumber()),
      sequence: opened.inheritance.sequence, places: home.places)
    journal = StoreJournal(
      store, EndPlan(settings: configuration.onEnd, command: tools.command),
      storedBoot: opened.inheritance.boot)
    markStore()
  }

  /// What the settings say now.
  var configuration: RunnerConfiguration { settings.current }

  /// The most connections that leave enough descriptors for the store, for what jobs are to read and for
  /// all jobs that run at the same time.
  var connectionLimit: Int {
    let kept =
      Limits.ownDescriptors + Limits.jobDescriptors * settings.slots + connections.openInputs.count
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
    status.slots = settings.slots
    status.connections = connections.count
    status.sequence = sequence
    status.notes = notes + [settings.problem].compactMap(\.self)
    return status
  }
}
