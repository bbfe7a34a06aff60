package import JobCore
package import JobWire
import LinuxSystem

/// A connection to the runner that is restored when it breaks, starting a runner if needed.
package final class RunnerLink {
  package let paths: Paths
  /// The runner program to start when none runs, or why there is none.
  private let program: Result<String, WireError>
  private var client: RunnerClient?
  private var start: RunnerStart?
  /// The latest time to wait for a connection or an answer, on the awake clock; nil = no limit.
  package var deadline: UInt64?
  /// Gets what a runner that was started here has to tell.
  package var onNote: (String) -> Void = { _ in }
  /// Consecutive connections that broke after a request, before any answer.
  private var unanswered = 0
  /// A request was sent over this connection, and no answer has arrived.
  private var isWaiting = false
  /// The connection broke before the last request was answered: the runner may have carried it out all the
  /// same.
  package private(set) var isUncertain = false

  package convenience init(paths: Paths, program: String) {
    self.init(paths: paths, program: .success(program))
  }

  package init(paths: Paths, program: Result<String, WireError>) {
    self.paths = paths
    self.program = program
  }

  /// The connection broke and is not restored yet.
  package var isLost: Bool { client == nil }

  /// For a poll; nil while the connection is lost.
  package var number: Int32? { client?.number }

  /// The folder of socket and pages; nil before any runner has started.
  package var runtime: String? { RunnerStart.socket(paths).map(File.parent(of:)) }

  /// Connects, waiting as long as a runner may take to start.
  package func connect() throws(WireError) {
    if case .failure = program, connectIfRunning() { return }
    var start = try startOrNew()
    client = RunnerClient(try start.connection())
    noteStart(start)
  }

  /// Connects if a runner is there already; returns whether it is.
  package func connectIfRunning() -> Bool {
    guard let connection = RunnerStart.connect(paths) else { return false }
    client = RunnerClient(connection)
    return true
  }

  /// Tries once to reconnect, starting a runner the first time; returns whether it worked.
  package func reconnect() throws(WireError) -> Bool {
    guard unanswered < Self.maximumUnanswered else { throw broken() }
    if case .failure = program, connectIfRunning() { return true }
    var start = try startOrNew()
    guard let connection = try start.attempt() else {
      self.start = start
      return false
    }
    client = RunnerClient(connection)
    noteStart(start)
    return true
  }

  /// Sends a request; nil when the connection is lost.
  package func send(_ request: Request) throws(WireError) -> UInt64? {
    isWaiting = true
    guard let id = try client?.send(request) else {
      lose()
      return nil
    }
    return id
  }

  package func receive() throws(WireError) -> RunnerClient.Arrival {
    guard let arrival = try client?.receive(), case .lines = arrival else {
      lose()
      return .lost
    }
    hear()
    return arrival
  }

  /// Asks for a list of jobs and passes each on once, as it arrives; when `goesOn` returns false the
  /// connection is closed, so that the runner stops as well.
  ///
  /// - Returns: `.count`, the end of the list.
  package func list(
    all: Bool, brief: Bool, of group: GroupName? = nil, folded: Bool = false,
    _ goesOn: (JobStatus) -> Bool
  ) throws(WireError) -> Response {
    // After a reconnection the list starts again: jobs that were passed on already are skipped.
    var last = JobNumber(0)
    var isWanted = true
    let request = Request.list(all: all, brief: brief, group: group, folded: folded)
    let end = try answer(to: request) { job in
      // An older runner may list all groups.
      let isMeant = group == nil || job.terms.group == group?.text
      guard isMeant, job.number > last else { return true }
      last = job.lastListed
      isWanted = goesOn(job)
      return isWanted
    }
    if !isWanted { client = nil }
    return end
  }

  /// Asks for ended jobs, the newest end first, and passes each on once, as it arrives.
  package func history(
    _ query: HistoryQuery, eachJob: (JobStatus) -> Void
  ) throws(WireError) {
    // After a reconnection the list starts again: jobs that were passed on already are skipped.
    var last: JobStatus?
    _ = try answer(to: .history(query)) { job in
      if last.map({ job.ended(before: $0) }) ?? true {
        last = job
        eachJob(job)
      }
      return true
    }
  }

  /// The totals of all ended jobs that match.
  package func historyTotals(_ query: HistoryQuery) throws(WireError) -> [OutcomeTotal] {
    var query = query
    query.isOfTotals = true
    guard case .totals(let totals) = try ask(.history(query)) else {
      throw WireError(.internal, "the runner did not answer with totals")
    }
    return totals
  }

  /// Asks and waits for the answer, once more after a lost connection: only for requests that can be
  /// repeated safely.
  package func ask(
    _ request: Request, passing descriptor: Int32? = nil, and second: Int32? = nil,
    eachJob: (JobStatus) -> Void = { _ in }
  ) throws(WireError) -> Response {
    try answer(to: request, passing: descriptor, and: second) { job in
      eachJob(job)
      return true
    }
  }

  /// Asks, without repeating after a lost connection: for requests that must not be carried out twice.
  func askOnce(
    _ request: Request, passing descriptor: Int32
  ) throws(WireError) -> Response {
    if client == nil { try connect() }
    isWaiting = true
    let response = try client?.ask(
      request, passing: descriptor, and: nil, until: deadline, goesOn: { _ in true })
    guard let response else {
      lose()
      throw WireError(
        .internal, "the runner broke the connection before it answered; see \(paths.runnerLog)")
    }
    hear()
    return response
  }

  private func answer(
    to request: Request, passing descriptor: Int32? = nil, and second: Int32? = nil,
    goesOn: (JobStatus) -> Bool
  ) throws(WireError) -> Response {
    unanswered = 0
    isUncertain = false
    let most = request.isHarmless ? Self.maximumUnanswered : Self.maximumSent
    while unanswered < most {
      if client == nil { try connect() }
      isWaiting = true
      if let response = try client?.ask(
        request, passing: descriptor, and: second, until: deadline, goesOn: goesOn)
      {
        hear()
        return response
      }
      lose()
      isUncertain = true
    }
    throw broken()
  }

  private func hear() {
    unanswered = 0
    isWaiting = false
  }

  private func lose() {
    if isWaiting { unanswered += 1 }
    isWaiting = false
    client = nil
  }

  private func broken() -> WireError {
    WireError(
      .internal,
      "the runner broke the connection \(unanswered) times without an answer; giving up;"
        + " see \(paths.runnerLog)")
  }

  /// How often one request is sent: a runner that died after the first time may have been killed for
  /// another reason; one that dies again would always do so.
  private static let maximumSent = 2
  /// The same for queries, and for callers that follow jobs and reconnect themselves.
  private static let maximumUnanswered = 12

  private func noteStart(_ start: RunnerStart) {
    start.notes().forEach(onNote)
    SpawnedRunners.add(start.child)
    self.start = nil
  }

  /// - Throws: when there is no runner that could be started.
  private func startOrNew() throws(WireError) -> RunnerStart {
    if let start { return start }
    SpawnedRunners.reap()
    var start = RunnerStart(paths: paths, program: try program.get(), until: deadline)
    start.onNote = onNote
    return start
  }
}

extension RunnerLink {
  /// Reconnects once if the connection was lost; returns whether there is one.
  package func reconnect(ifLost: Bool) throws(WireError) -> Bool {
    if !isLost { return true }
    return try reconnect()
  }
}

extension Request {
  /// A query of a job, which cannot crash a runner.
  fileprivate var isHarmless: Bool {
    if case .show = self { true } else { false }
  }
}

extension JobStatus {
  /// Whether the history lists it after another.
  fileprivate func ended(before other: JobStatus) -> Bool {
    guard let ended, let otherEnd = other.ended, ended != otherEnd else {
      return number < other.number
    }
    return ended < otherEnd
  }
}
