import JobCore
package import JobRuntime
import JobStore
package import JobWire
import LinuxSystem
import MachineProbes

/// The runner: one thread that waits, lets the runtime decide and store, acts and tells.
///
/// Each part keeps its own state and is asked by the loop when it is due. Not `Sendable`: everything in it
/// belongs to the thread that called `run`.
package final class Runner {
  let home: RunnerHome
  let settings: Settings
  let notes: RunnerNotes
  let loop: Reactor
  let listener: SocketListener
  /// What is decided, and the jobs that it is about.
  package let runtime: JobRuntime
  let storage: StoreRecovery
  let cleanup: Cleanup
  let local: LocalExecutor
  /// Runs attempts in place of `local`; nil outside of tests.
  let standIn: (any Executor)?
  var alarm: TimeOfDayAlarm?
  var lifetime = RunnerLifetime()
  let pushes = PushCounter()

  private(set) lazy var hosted: HostedExecutor = HostedExecutor(
    home, runtime: runtime,
    hosts: HostRegistry(
      loop: loop,
      handlers: HostRegistry.Handlers(
        send: { [unowned self] in connections.send($0, to: $1) },
        isSubmitting: { [unowned self] in runtime.drafts.concern($0) },
        isLive: { [unowned self] in liveJobs[$0] != nil },
        ended: { [unowned self] in hosted.processEnded($0, $1) },
        gaveUp: { [unowned self] in ask(.hostLost($0, $1)) })),
    sampler: local.sampler, cleanup: cleanup, notes: notes)
  private(set) lazy var engines: EngineExecutor = EngineExecutor(local.context)
  private(set) lazy var inquiries: MachineInquiries = MachineInquiries()
  private(set) lazy var lookup: JobLookup = JobLookup(
    runtime: runtime, store: store, paths: home.paths, sampler: local.sampler,
    executors: [standIn ?? local, hosted, engines])
  private(set) lazy var server: Server = Server(
    listener, loop: loop, runtime: runtime, store: store, paths: home.paths, lookup: lookup,
    settings: settings, memory: memory, notes: notes,
    handlers: Server.Handlers(
      received: { [unowned self] in receive($0, from: $1) },
      read: { [unowned self] in
        // In one turn a crowd may submit more than memory has room for.
        if runtime.drafts.bytes > Limits.submittedBytesAtOnce { settle() }
      },
      ended: { [unowned self] in hosted.hosts.disconnect($0) },
      watched: { [unowned self] in
        local.updateWeight($0)
        engines.updateWeight($0)
      }))
  private(set) lazy var machine: MachineWatch = MachineWatch(
    loop: loop, helper: local.context.tools.helper, stateDirectory: home.paths.stateDirectory,
    environment: CurrentProcess.environment(),
    allowed: { [unowned self] in configuration.gpus },
    found: { [unowned self] in ask(.machine($0.facts)) }, trouble: notes.add)
  private(set) lazy var power: PowerWatch = PowerWatch(
    tree: .given(Environment(entries: CurrentProcess.environment())),
    isAwaited: { [unowned self] in core.awaitsMoment && core.hasRequests })
  private(set) lazy var presence: PresenceWatch = PresenceWatch(
    loop: loop, environment: CurrentProcess.environment(),
    isAwaited: { [unowned self] in core.awaitsIdleness },
    changed: { [unowned self] in tellEnergy() })
  private(set) lazy var gpuEnergy: GPUEnergy = GPUEnergy(
    look: { [unowned self] body in
      machine.look { body(try? $0.get().gpus) }
    },
    tell: { [unowned self] in store(gpuMillijoules: $0, of: $1, attempt: $2) })
  private(set) lazy var keepAwake: KeepAwake = KeepAwake(
    loop: loop, environment: CurrentProcess.environment(),
    lowBattery: { [unowned self] in
      power.look().lowBattery(below: configuration.lowBattery)
    })
  private(set) lazy var memory: MemoryTrimmer = MemoryTrimmer { [unowned self] in giveBackMemory() }
  private(set) lazy var notifier: Notifier = Notifier(
    loop: loop, helper: local.context.tools.helper, environment: CurrentProcess.environment())
  private(set) lazy var remoteNotices: RemoteNotices = RemoteNotices(
    loop: loop, environment: CurrentProcess.environment(),
    targets: { [unowned self] in configuration.notices.targets }, trouble: notes.add)
  private(set) lazy var successes: SuccessCleanup = SuccessCleanup(
    mayRemove: { [unowned self] number in
      liveJobs[number] == nil && !endCommands.concerns(number)
        && !connections.all.contains { $0.follows(number) }
    },
    forget: { [unowned self] number in
      do throws(StoreError) {
        try remove(number)
      } catch {
        notes.add("job \(number) cannot be forgotten: \(error.message)")
      }
    },
    removeLog: { [unowned self] in cleanup.removeOutput(of: $0) })
  private(set) lazy var endCommands: EndCommands = EndCommands(
    loop: loop,
    launcher: EndCommandLauncher(
      paths: home.paths, store: store, supervisors: local.supervisors,
      creationMask: local.context.creationMask),
    store: store, paths: home.paths, configuration: { [unowned self] in configuration },
    trouble: notes.add)
  private(set) lazy var history: HistoryPruner = HistoryPruner(
    store: store, configuration: { [unowned self] in configuration },
    // A client that cancels more jobs than the history keeps gets a line for each of them first.
    mayForget: { [unowned self] in !connections.all.contains(where: \.isOwedNamed) },
    isRead: { [unowned self] number in connections.all.contains { $0.follows(number) } },
    forget: { [unowned self] in cleanup.removeAll(of: $0) }, trouble: notes.add)
  private(set) lazy var nextRuns: NextRuns = NextRuns(
    runtime: runtime, store: store, notes: notes,
    isStopping: { [unowned self] in lifetime.isStopping })
  private(set) lazy var subscriptions: PushListener = PushListener(
    loop: loop, tools: local.context.tools, registered: home.paths.registered,
    environment: CurrentProcess.environment())
  private(set) lazy var homeGuard: HomeGuard = HomeGuard(
    home, listener: listener, storage: storage, notes: notes,
    leave: { [unowned self] in lifetime.departure = $0 })

  init(
    home: RunnerHome, tools: Tools, configuration: RunnerConfiguration,
    opened: consuming OpenedStore, mark: NumberMark, creationMask: UInt32, terms: RunnerTerms?,
    groups: GroupDelegation, standIn: (any Executor)? = nil
  ) throws {
    let store = opened.store
    self.standIn = standIn
    self.home = home
    settings = Settings(configuration, path: home.paths.configurationFile)
    notes = RunnerNotes(opened.notes + [home.runtimeNote, terms?.note].compactMap(\.self))
    loop = try Reactor()
    listener = SocketListener(try home.listen(), at: home.socket, loop: loop)
    var rules = Scheduler.Configuration(slots: settings.slots)
    rules.groups = configuration.groups
    rules.budget = configuration.budget
    // The core has no randomness of its own; each run of the runner spreads retries anew.
    rules.retrySeed = UInt64.random(in: .min ... .max)
    runtime = JobRuntime(
      rules, firstNumber: max(opened.restored.nextNumber, home.firstUnusedNumber()),
      sequence: opened.restored.sequence, paths: home.paths)
    storage = StoreRecovery(
      opened, mark: mark,
      plan: EndPlan(settings: configuration.onEnd, command: tools.command), runtime: runtime,
      notes: notes)
    cleanup = Cleanup(home: home, trouble: notes.add)
    local = LocalExecutor(
      LocalExecutor.Context(
        home: home, tools: tools, settings: settings, runtime: runtime, store: store,
        loop: loop,
        files: AttemptFiles(
          home: home, suspects: SuspectFiles(home.paths, notes: notes), cleanup: cleanup,
          notes: notes),
        sampler: PageSampler(home.paths, runtime: runtime, store: store),
        cleanup: cleanup, notes: notes, creationMask: creationMask, terms: terms,
        boot: Boot.identifier(),
        mount: FileSystemSpace.mountNumber(of: home.paths.runRecords)),
      supervisors: SupervisorSource(program: tools.shim, loop: loop),
      groups: groups,
      energy: ProcessorEnergy(
        tree: .given(Environment(entries: CurrentProcess.environment()))))
    wireParts()
  }

  /// One for a test: with this home, whose jobs an executor runs that starts no processes.
  package convenience init(
    home: RunnerHome, configuration: RunnerConfiguration, executor: any Executor
  ) throws {
    let mark = NumberMark(home.paths.numberMark)
    try self.init(
      home: home, tools: try Tools(), configuration: configuration,
      opened: try OpenedStore(path: home.paths.database, mark), mark: mark, creationMask: 0o077,
      terms: nil, groups: .missing("this runner is a test's"), standIn: executor)
  }

  /// Tells parts of those that are made after them.
  private func wireParts() {
    storage.sources = StoreRecovery.Sources(
      endCommands: { [unowned self] in endCommands.unfinished },
      launchOrder: { [unowned self] in local.files.launchOrder($0, attempt: $1) },
      nameOfStore: { [unowned self] in engines.knownName })
    engines.answered = { [unowned self] in inquiries.answer(of: $0) }
    cleanup.jobs = Cleanup.Jobs(
      isAnyRunning: { [unowned self] in lookup.isAnyRunning },
      isRunning: { [unowned self] in lookup.isRunning($0) },
      isLive: { [unowned self] in liveJobs[$0] != nil },
      isLingering: { [unowned self] in hosted.hosts.lingering($0) != nil })
  }

  /// All that have a time of their own.
  var parts: [any Part] {
    [
      listener, server.feed, local, engines, hosted.hosts, hosted.pauses, homeGuard, nextRuns,
      machine, power, presence, memory, notifier, remoteNotices, successes, cleanup, endCommands,
      keepAwake, history, settings, subscriptions, inquiries,
    ]
  }
}

// What is asked for most.
extension Runner {
  var store: Store { storage.store }
  var connections: Connections { server.connections }

  /// What the settings say now.
  var configuration: RunnerConfiguration { settings.current }

  /// The rules' view of all jobs.
  var core: Scheduler { _read { yield runtime.scheduler } }

  /// Live jobs beside what the core holds of them.
  var liveJobs: LiveJobTable {
    _read { yield runtime.jobs }
    _modify { yield &runtime.jobs }
  }

  /// The last step; a runner that replaces this one has its own lock and its own files.
  func closeStore(_ mark: NumberMark) {
    guard home.holdsLock, !storage.isStoreLost else { return }
    store.close()
    mark.end()
  }

  /// Hands an event to the core; its answer finds the origin through the tag.
  func ask(_ event: Event) { runtime.inbox.append(event) }

  /// Gives back the room that was needed for more than there is now.
  private func giveBackMemory() {
    connections.releaseCapacity()
    local.releaseCapacity()
    runtime.releaseCapacity()
    store.giveBackMemory()
    CurrentProcess.giveBackMemory()
  }
}
