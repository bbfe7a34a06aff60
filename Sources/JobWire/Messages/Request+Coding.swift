import JobCore

extension RequestLine: Coded {
  package init() { self.init(id: 0, Request()) }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    _ = try coder.coded(Self.version, "v")
    try coder.code(&id, "id")
    try request.code(with: &coder)
  }

  /// Reads one line without its newline.
  ///
  /// - Throws: what is wrong with it, with the number to answer under when that could be read.
  package init(line: ArraySlice<UInt8>) throws(RequestLineError) {
    var readID: UInt64?
    do throws(WireError) {
      let fields = try JSONFields(line: line)
      // A mistyped number is reported as such below; here it only cannot be echoed.
      readID = try? fields.optional("id")
      try RequestLine.checkVersion(fields)
      try self.init(fields)
      try request.validate()
    } catch {
      throw RequestLineError(id: readID, error)
    }
  }

  private static func checkVersion(_ fields: JSONFields) throws(WireError) {
    let found: UInt64 = try fields.required("v")
    guard found == version else {
      throw WireError(
        .badFrame,
        "the request uses protocol version \(found), and this runner speaks \(version);"
          + " use the jobrun that belongs to it, or jobrun runner restart")
    }
  }
}

extension Request: CodedChoice {
  /// The operations by their names on the wire.
  package enum Operation: String, CaseIterable {
    case submit, list, show, cancel, answer, follow, feed, resources, status, stop, simulate
    case forget, redo, reload, stayAwake, history, host, hostBegan, hostCompleted, hostPaused,
      withdraw
    case pause, resume, pauseRunner, resumeRunner
    case submitMany, followMany
    case hold, release, move, edit, start
    case pauseGroup, resumeGroup, notify, terminal
  }

  package static var kindField: StaticString { "op" }

  package init() { self = .status }

  package init(_ operation: Operation) {
    let job = JobReference()
    self =
      switch operation {
      case .submit: .submit(SubmitRequest())
      case .submitMany: .submitMany(ManyRequest())
      case .list: .list(all: false)
      case .show: .show(job)
      case .cancel: .cancel(.one(job), now: false)
      case .pause: .pause(.one(job), keepSlot: false)
      case .resume: .resume(.one(job))
      case .pauseRunner: .pauseRunner(true)
      case .resumeRunner: .pauseRunner(false)
      case .pauseGroup: .pauseGroup(.blank, true)
      case .resumeGroup: .pauseGroup(.blank, false)
      case .start: .start(job)
      case .notify: .notify(title: "", body: "")
      case .withdraw: .withdraw(job)
      case .answer: .answer(job, continues: false)
      case .terminal: .terminal(job)
      case .follow: .follow([], attach: false)
      case .followMany: .followMany(.range(JobRange(first: JobNumber(0), count: 0)))
      case .feed: .feed(since: nil, progressHertz: Limits.progressHertzUsual)
      case .resources: .resources()
      case .status: .status
      case .stop: .stop(restart: false)
      case .simulate: .simulate(.expire, job)
      case .forget: .forget(job)
      case .redo: .redo(job)
      case .hold: .hold(job)
      case .release: .release(job)
      case .move: .move(job, behind: nil)
      case .edit: .edit(job, JobEdit())
      case .reload: .reload
      case .stayAwake: .stayAwake
      case .history: .history(HistoryQuery())
      case .host: .host(HostClaim(host: ""))
      case .hostBegan: .hostBegan(JobNumber(0), attempt: 0)
      case .hostCompleted: .hostCompleted(JobNumber(0), attempt: 0)
      case .hostPaused: .hostPaused(JobNumber(0), false)
      }
  }

  package var kind: Operation {
    switch self {
    case .submit: .submit
    case .submitMany: .submitMany
    case .list: .list
    case .show: .show
    case .cancel: .cancel
    case .pause: .pause
    case .resume: .resume
    case .pauseRunner(let isPaused): isPaused ? .pauseRunner : .resumeRunner
    case .pauseGroup(_, let isPaused): isPaused ? .pauseGroup : .resumeGroup
    case .start: .start
    case .notify: .notify
    case .withdraw: .withdraw
    case .answer: .answer
    case .terminal: .terminal
    case .follow: .follow
    case .followMany: .followMany
    case .feed: .feed
    case .resources: .resources
    case .status: .status
    case .stop: .stop
    case .simulate: .simulate
    case .forget: .forget
    case .redo: .redo
    case .reload: .reload
    case .stayAwake: .stayAwake
    case .hold: .hold
    case .release: .release
    case .move: .move
    case .edit: .edit
    case .history: .history
    case .host: .host
    case .hostBegan: .hostBegan
    case .hostCompleted: .hostCompleted
    case .hostPaused: .hostPaused
    }
  }

  package func coded<Coder: FieldCoder>(
    with coder: inout Coder
  ) throws(Coder.Failure) -> Request {
    switch self {
    case .submit(let job): .submit(try coder.coded(job, "job"))
    case .submitMany(let many): .submitMany(try coder.inline(many))
    case .list(let all, let brief, let group, let folded):
      .list(
        all: try coder.flag(all, "all", always: true), brief: try coder.flag(brief, "brief"),
        group: try coder.coded(group, "group"), folded: try coder.flag(folded, "folded"))
    case .show(let job): .show(try coder.coded(job, "ref"))
    case .cancel(let jobs, let now, let reason, let signal):
      .cancel(
        try coder.inline(jobs), now: try coder.flag(now, "now", always: true),
        reason: try coder.coded(reason, "reason"), signal: try coder.coded(signal, "signal"))
    case .pause(let jobs, let keepSlot, let length):
      .pause(
        try coder.inline(jobs), keepSlot: try coder.flag(keepSlot, "keepSlot", always: true),
        length: try coder.coded(length?.milliseconds, "forMs").map { .milliseconds($0) })
    case .resume(let jobs): .resume(try coder.inline(jobs))
    case .pauseGroup(let group, let isPaused):
      .pauseGroup(try coder.coded(group, "group"), isPaused)
    case .start(let job): .start(try coder.coded(job, "ref"))
    case .notify(let title, let body):
      .notify(
        title: try coder.coded(title, "title"),
        body: try coder.coded(body, "body", usual: "", always: true))
    case .withdraw(let job): .withdraw(try coder.coded(job, "ref"))
    case .answer(let job, let continues):
      .answer(try coder.coded(job, "ref"), continues: try coder.coded(continues, "continue"))
    case .terminal(let job): .terminal(try coder.coded(job, "ref"))
    case .follow(let jobs, let attach, let brief):
      .follow(
        try coder.coded(jobs, "refs"), attach: try coder.flag(attach, "attach", always: true),
        brief: try coder.flag(brief, "brief"))
    case .followMany(let some): .followMany(try coder.selection(some) ?? some)
    case .feed(let since, let hertz, let brief):
      .feed(
        since: try coder.coded(since, "since", null: true),
        progressHertz: Request.bounded(
          try coder.coded(hertz, "progressHz", usual: hertz, always: true)),
        brief: try coder.flag(brief, "brief"))
    case .stop(let restart, let discard):
      .stop(
        restart: try coder.flag(restart, "restart", always: true),
        discard: try coder.flag(discard, "discard"))
    case .simulate(let what, let job):
      .simulate(try coder.coded(what, "what"), try coder.coded(job, "ref"))
    case .forget(let job): .forget(try coder.coded(job, "ref"))
    case .redo(let job, let force, let hold, let edit):
      .redo(
        try coder.coded(job, "ref"), force: try coder.flag(force, "force"),
        hold: try coder.flag(hold, "hold"), try coder.inline(edit))
    case .hold(let job): .hold(try coder.coded(job, "ref"))
    case .release(let job): .release(try coder.coded(job, "ref"))
    case .move(let job, let target):
      .move(try coder.coded(job, "ref"), behind: try coder.coded(target, "behind"))
    case .edit(let job, let edit): .edit(try coder.coded(job, "ref"), try coder.inline(edit))
    case .history(let query): .history(try coder.inline(query))
    case .host(let claim): .host(try coder.inline(claim))
    case .hostBegan(let job, let attempt):
      .hostBegan(try coder.coded(job, "number"), attempt: try coder.coded(attempt, "attempt"))
    case .hostCompleted(let job, let attempt):
      .hostCompleted(try coder.coded(job, "number"), attempt: try coder.coded(attempt, "attempt"))
    case .hostPaused(let job, let isPaused):
      .hostPaused(try coder.coded(job, "number"), try coder.coded(isPaused, "paused"))
    case .resources(let engine): .resources(on: try coder.coded(engine, "on"))
    case .status, .reload, .stayAwake, .pauseRunner: self
    }
  }

  package func validate() throws(WireError) {
    switch self {
    case .cancel(let jobs, _, let reason, let signal):
      try jobs.selection?.validate()
      if let reason { try SubmitRequest.checkShown(reason, name: "reason") }
      guard signal.map({ (1...64).contains($0) }) ?? true else {
        throw WireError(.usage, "\(signal ?? 0) is not a signal; 1 to 64 are")
      }
    case .pause(let jobs, _, let length):
      try jobs.selection?.validate()
      try length?.check("forMs")
    case .followMany(let some), .resume(.some(let some)): try some.validate()
    case .follow(let jobs, _, _) where jobs.count > Limits.followedJobs:
      throw WireError(
        .usage, "\(jobs.count) jobs are too many to follow at once; use jobrun feed for all")
    case .history(let query): try query.validate()
    case .host(let claim): try claim.validate()
    default: break
    }
  }

  /// Held within what the runner gives; 0 = no progress lines.
  private static func bounded(_ hertz: Int) -> Int { min(max(0, hertz), Limits.progressHertz) }
}

extension Request.Operation: FieldValue {
  package static func read(
    _ value: JSONValue, at place: FieldPlace
  ) throws(WireError) -> Request.Operation? {
    guard case .string(let name) = value else { return nil }
    guard let operation = Request.Operation(rawValue: name) else {
      let known = Request.Operation.allCases.map { $0.rawValue }
      throw WireError(
        .unknownOperation,
        "\"\(name)\" is not an operation" + NearestName.hint(for: name, among: known))
    }
    return operation
  }
}

extension Request.SimulatedEvent: FieldValue {}

extension FieldCoder {
  /// False unless it is written.
  fileprivate mutating func flag(
    _ flag: Bool, _ name: StaticString, always: Bool = false
  ) throws(Failure) -> Bool {
    try coded(flag, name, usual: false, always: always)
  }
}
