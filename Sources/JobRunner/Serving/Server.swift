import JobCore
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

/// All connections, and the updates that they get about jobs.
final class Server {
  /// Callbacks about connections.
  struct Handlers {
    /// A line was received.
    var received: (Client.Arrival, Client) -> Void
    /// Bytes have been taken in, and lines of theirs may have been served.
    var read: () -> Void
    /// A client sends no more: its hosted jobs have lost their connection.
    var ended: (Client) -> Void
    /// A client started or stopped watching the job in the foreground.
    var watched: (JobNumber) -> Void
  }

  private let runtime: JobRuntime
  private let settings: Settings
  private let notes: RunnerNotes
  private let memory: MemoryTrimmer
  private let loop: Reactor
  private let lookup: JobLookup
  private let store: Store
  private let paths: Paths
  private let handlers: Handlers
  let listener: SocketListener
  private(set) lazy var connections: Connections = Connections(
    loop: loop,
    handlers: Connections.Handlers(
      received: handlers.received,
      read: handlers.read,
      ended: { [unowned self] in
        unsubscribe($0)
        handlers.ended($0)
      },
      fill: { [unowned self] in fill($0) },
      caughtUp: { [unowned self] in feed.resynchronise($0) },
      limit: { [unowned self] in connectionLimit },
      released: memory.note,
      trouble: notes.add))
  private(set) lazy var feed: Feed = Feed(
    connections: connections, store: store, jobs: lookup, trouble: notes.add)
  private lazy var lists: JobLists = JobLists(
    connections: connections, store: store, paths: paths, jobs: lookup)

  init(
    _ listener: SocketListener, loop: Reactor, runtime: JobRuntime, store: Store, paths: Paths,
    lookup: JobLookup, settings: Settings, memory: MemoryTrimmer, notes: RunnerNotes,
    handlers: Handlers
  ) {
    self.listener = listener
    self.loop = loop
    self.runtime = runtime
    self.store = store
    self.paths = paths
    self.lookup = lookup
    self.settings = settings
    self.memory = memory
    self.notes = notes
    self.handlers = handlers
  }

  /// Takes connections from now on.
  func begin() throws(SystemError) {
    try listener.begin(
      hasRoom: { [unowned self] in connections.count < connectionLimit },
      accepted: { [unowned self] connection in connections.accept(connection) },
      trouble: notes.add)
  }

  /// The connection limit, which leaves enough descriptors for the store, for inputs of jobs, and for the
  /// maximum number of running jobs.
  var connectionLimit: Int {
    let kept =
      Limits.ownDescriptors + Limits.jobDescriptors * settings.slots + connections.openInputs.count
    return min(Limits.connections, max(1, CurrentProcess.descriptorLimit() - kept))
  }

  /// Sends a turn's durable events, after its answers.
  func tell(_ turn: Turn) {
    for object in turn.unstored { feed.warn(of: object) }
    feed.tell(turn.lines, at: .now(), object: { [unowned self] in runtime.object(of: $0) })
  }

  /// Adds stored data as the client takes it: lists, and the feed's past.
  private func fill(_ client: Client) {
    while client.output.count < connections.answerRoom {
      if client.cursor.replayedTo != nil { feed.replayMore(to: client) }
      if !client.snapshots.isEmpty { feed.snapshotMore(to: client) }
      if !client.listings.isEmpty { lists.listMore(to: client) }
      if client.cursor.replayedTo == nil, client.snapshots.isEmpty, client.listings.isEmpty {
        return
      }
    }
  }

  /// Subscribes the client to these jobs; `attach`: in the foreground.
  func follow(_ numbers: Set<JobNumber>, attach: Bool, by client: Client) {
    if attach { for number in numbers { count(1, watching: number) } }
    feed.follow(numbers, attached: attach, by: client)
  }

  /// The client's share in attached terminals and feeds ends.
  func unsubscribe(_ client: Client) {
    if case .jobs(let numbers, attached: true) = client.subscription {
      for number in numbers { count(-1, watching: number) }
    }
    client.subscription = .none
    client.progressDue = nil
    client.cursor.leave()
  }

  private func count(_ change: Int, watching number: JobNumber) {
    runtime.jobs[number]?.attachedCount += change
    handlers.watched(number)
  }

  /// Refuses a job whose input did not come with it, or is one pipe too many; `waiting` jobs have one.
  func check(
    _ input: JobInput, _ passed: PassedInput?, waiting: Int
  ) throws(WireError) {
    guard input == .passed else { return }
    guard passed != nil else {
      throw WireError(.badFrame, "the submission came without the input of the job")
    }
    guard connections.count <= connectionLimit else {
      throw WireError(
        .cannotCreate,
        "the runner has \(connections.count) connections and \(connections.openInputs.count) pipes open, as many as it"
          + " may; --detach makes a copy of what is piped in")
    }
    guard waiting < Limits.heldInputs else {
      throw WireError(
        .tooManyPendingTaskRequests,
        "\(waiting) jobs are already waiting with a pipe to read; --detach makes a copy of what is piped"
          + " in, and any number of those may wait")
    }
  }
}
