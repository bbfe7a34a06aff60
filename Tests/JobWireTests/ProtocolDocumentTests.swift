import JobCore
import JobWire
import TestKit
import Testing

/// `protocol.md` says what is on the wire, no more and no less.
struct ProtocolDocumentTests {
  private let page: Document

  init() throws {
    page = try Document("Sources/JobWire/protocol.md")
  }

  @Test func `every operation is there with its arguments`() throws {
    var operations: [String] = []
    let rows = page.table(below: "The arguments of the operation")
    var request = next(after: nil)
    while let known = request {
      let written = text(Samples.bytes(RequestLine(id: 7, known)).dropLast())
      let members = try names(written)
      #expect(members.prefix(3) == ["v", "id", "op"])
      let name = try #require(try string("op", of: written))
      operations.append(name)
      let row = try #require(rows.first { $0[0] == name }, "\(name)")
      let shown = Document.code(
        in: row[1].replacing("(see `submission.md`)", with: ""))
      let values = Request.SimulatedEvent.allCases.map(\.rawValue)
      #expect(
        Set(shown).subtracting(name == "simulate" ? values : []) == Set(members.dropFirst(3)),
        "\(name)")
      request = next(after: known)
    }
    #expect(rows.map { $0[0] }.sorted() == operations.sorted())
    #expect(page.column(0, below: "## Requests") == ["v", "id", "op"])
  }

  @Test func `the replies are written as shown`() throws {
    let job = Samples.full
    var tally = JobTally(live: 520)
    (tally.running, tally.failed, tally.firstFailed) = ([JobNumber(481)], 3, JobNumber(17))
    (tally.succeeded, tally.exitCode) = (477, 2)
    var machine = MachineReport("here", slotsTotal: 4, slotsUsed: 1)
    machine.resources = Samples.resources
    var total = OutcomeTotal(.succeeded)
    for _ in 1...9 { total.add(800_000) }
    let shown = page.table(below: "## Replies").map { ($0[0], Document.code(in: $0[1])) }
    let replies: [String: [ReplyLine]] = [
      "empty": [.ok(id: 7, .empty)],
      "submitted": [.ok(id: 7, .submitted(job, kept: false, duplicate: false))],
      "submittedMany": [
        .ok(id: 7, .submittedMany(first: JobNumber(12), count: 1_000, duplicate: false))
      ],
      "job": [.ok(id: 7, .job(job, message: "…"))],
      "list": [.job(id: 7, job), .ok(id: 7, .count(2))],
      "tally": [.ok(id: 7, .tally(tally))],
      "totals": [.ok(id: 7, .totals([total]))],
      "resources": [.ok(id: 7, .resources(Samples.resources))],
      "machines": [.ok(id: 7, .machines([machine]))],
      "status": [.ok(id: 7, .status(Samples.status))],
      "command": [
        .ok(
          id: 7,
          .command([
            "/usr/lib/jobrun/jobrun-shim", "terminal", "/run/user/1000/jobrun/terminals/12.1",
            "/home/me/.local/state/jobrun/logs/12",
          ]))
      ],
      "error": [.error(id: 7, WireError(.notFound, "…"))],
    ]
    #expect(Set(shown.map(\.0)) == Set(replies.keys))
    let names = [
      (text(job.json), "JOB"),
      (text(Samples.resources.json.dropFirst().dropLast()), "…RESOURCES"),
      (text(Samples.status.json.dropFirst().dropLast()), "…STATUS"),
    ]
    for (reply, examples) in shown {
      let written = (replies[reply] ?? []).map { line in
        var bytes: [UInt8] = []
        line.append(to: &bytes)
        return names.reduce(text(bytes.dropLast())) { $0.replacing($1.0, with: $1.1) }
      }
      #expect(Array(examples.prefix(written.count)) == written)
    }
  }

  @Test func `every error code is there with its exit code`() {
    let rows = page.table(below: "| code | exit code")
    #expect(rows.map { $0[0] } == ErrorCode.allCases.map(\.rawValue))
    #expect(rows.map { $0[1] } == ErrorCode.allCases.map { "\($0.exitCode)" })
  }

  @Test func `the objects have these fields, in this order`() throws {
    #expect(page.column(0, below: "## Job object") == (try names(text(Samples.full.json))))
    let progress = JobProgress(completed: 1, total: 2)
    #expect(page.column(0, below: "`progress`:") == (try names(text(progress.json))))
    #expect(page.column(0, below: "STATUS:") == (try names(text(Samples.status.json))))
    #expect(
      page.column(0, below: "RESOURCES") == (try paths(text(Samples.resources.json))))
  }

  @Test func `the sets of words are whole`() throws {
    let words = page.table(below: "| set | words").map { Document.code(in: $0[1]) }
    try #require(words.count == 4)
    #expect(words[0] == Outcome.allCases.map(\.rawValue))
    #expect(words[1] + words[2] == StopReason.Code.allCases.map(\.rawValue))
    #expect(words[3] == PendingReason.Code.allCases.map(\.rawValue))
    let meanings = Dictionary(
      uniqueKeysWithValues: page.table(below: "## Job object").map { ($0[0], $0[2]) })
    #expect(
      Document.code(in: meanings["state"] ?? "") == JobStatus.State.allCases.map(\.rawValue))
    #expect(
      Document.code(in: meanings["kind"] ?? "") == Submission.Kind.allCases.map(\.rawValue))
  }

  @Test func `the feed has these events with these fields`() throws {
    var fields = Dictionary(
      uniqueKeysWithValues: Announcement.Kind.allCases.map { ($0.rawValue, "seq at job") })
    let dropped = FeedLine.dropped(
      at: Samples.submitted, identifier: "a.b", WireError(.unavailable, "it is off"))
    for line in [.snapshot(Samples.full), .progress(Samples.full), .gap(from: 3, to: 7), dropped] {
      var bytes: [UInt8] = []
      line.append(to: &bytes)
      let written = text(bytes.dropLast())
      let event = try #require(try string("event", of: written))
      fields[event] = try names(written).filter { $0 != "event" }.joined(separator: " ")
    }
    let rows = page.table(below: "## Feed lines")
    #expect(Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) }) == fields)
  }

  @Test func `what a host hears is there`() throws {
    let launch = HostedLaunch(
      number: JobNumber(3), attempt: 1, identifier: "a", page: "/p", gpus: [], stateDirectory: "/s")
    let rows = page.table(below: "| host | fields")
    let number = JobNumber(3)
    let lines: [HostLine] = [.launch(launch), .pause(number), .resume(number), .ended(number)]
    for (line, row) in zip(lines, rows) {
      var bytes: [UInt8] = []
      line.append(to: &bytes)
      let written = text(bytes.dropLast())
      #expect(try string("host", of: written) == row[0])
      #expect(try names(written).dropFirst().joined(separator: " ") == row[1])
    }
    #expect(rows.count == lines.count)
  }

  @Test func `the limits are those of the code`() {
    let values = page.column(1, below: "| limit | value").map {
      Int($0.prefix { $0.isNumber || $0 == "," }.filter(\.isNumber))
    }
    #expect(
      values == [
        Limits.lineBytes, Limits.jsonDepth, Limits.launchSpecificationBytes, Limits.jobsAtOnce,
        Limits.inputBytes, Limits.connections,
        Limits.requestsAtOnce, Limits.listsAtOnce, Limits.answerBytes,
        Limits.subscriberBufferBytes, Limits.unsentBytes, Limits.enclosedBytes,
        Limits.submittedBytes, Limits.keptEvents,
      ])
  }

  /// One request of each operation with all its arguments: a new one does not compile until it
  /// stands here.
  private func next(after request: Request?) -> Request? {
    let job = JobReference.number(JobNumber(12))
    var mixed = ManyRequest(Samples.submission, count: 3, width: 2)
    mixed.isMixed = true
    var query = HistoryQuery()
    query.title = "trip"
    query.group = GroupName("render")
    query.isOfTotals = true
    return switch request {
    case nil: .submit(Samples.submission)
    case .submit: .submitMany(mixed)
    case .submitMany: .list(all: true, brief: true, group: GroupName("render"), folded: true)
    case .list: .show(job)
    case .show: .cancel(.one(job), now: true, reason: "x", signal: 2)
    case .cancel: .pause(.one(job), keepSlot: true, length: .seconds(600))
    case .pause: .resume(.one(job))
    case .resume: .pauseRunner(true)
    case .pauseRunner(true): .pauseRunner(false)
    case .pauseRunner: GroupName("render").map { .pauseGroup($0, true) }
    case .pauseGroup(let group, true): .pauseGroup(group, false)
    case .pauseGroup: .start(job)
    case .start: .withdraw(job)
    case .withdraw: .answer(job, continues: true)
    case .answer: .terminal(job)
    case .terminal: .follow([job], attach: true, brief: true)
    case .follow: .followMany(.range(JobRange(first: JobNumber(3), count: 2)))
    case .followMany: .feed(since: 7, progressHertz: 10, brief: true)
    case .feed: .resources(on: "boxes")
    case .resources: .status
    case .status: .stop(restart: true, discard: true)
    case .stop: .simulate(.stall, job)
    case .simulate: .forget(job)
    case .forget: .redo(job, force: true, hold: true)
    case .redo: .hold(job)
    case .hold: .release(job)
    case .release: .move(job, behind: .latest(back: 0))
    case .move: .edit(job, Samples.edit)
    case .edit: .reload
    case .reload: .stayAwake
    case .stayAwake: .notify(title: "Sync", body: "3 photos are new")
    case .notify: .history(query)
    case .history: .host(HostClaim(host: "0123456789abcdef"))
    case .host: .hostBegan(JobNumber(12), attempt: 1)
    case .hostBegan: .hostCompleted(JobNumber(12), attempt: 1)
    case .hostCompleted: .hostPaused(JobNumber(12), true)
    case .hostPaused: nil
    }
  }
}

/// The tables of what a submission holds.
struct SubmissionDocumentTests {
  private let page: Document
  private let rows: [[String]]

  init() throws {
    page = try Document("Sources/JobWire/submission.md")
    rows = page.table(below: "## Submission")
  }

  @Test func `every field is there, in the order in which it is written`() throws {
    var request = Samples.submission
    request.options.retryDelay = .seconds(3)
    request.options.group = GroupName("render")
    request.options.halts = true
    request.options.haltsSoon = true
    request.options.haltsOnSuccess = true
    request.options.haltAfter = 2
    request.options.retriesExpired = true
    request.options.slots = 2
    request.options.isExclusive = true
    request.options.groupSlots = 2
    request.options.startsApart = .seconds(2)
    request.options.requirements.counted = [CountedNeed("licence", 1)]
    request.options.engine = "cluster"
    request.options.onSlow = .ignore
    request.options.answerWithin = .minutes(60)
    request.options.requirements.whenIdle = true
    request.isListed = true
    request.isHeld = true
    request.filesMayStay = true
    request.afterAny = [JobNumber(2)]
    request.afterOne = [JobNumber(4)]
    request.host = "0123456789abcdef"
    request.details = Samples.details
    let written = try job(of: request)
    #expect(Set(rows.map { $0[0] }) == Set(written.map(\.name)))
    #expect(rows.count == written.count)
    var copied = request
    copied.details.input = .copied(bytes: 3)
    let more = try job(of: copied)
    for name in ["requirements", "details"] {
      let members = [written, more].flatMap { members in
        guard case .object(let inner)? = members.first(where: { $0.name == name })?.value else {
          return [String]()
        }
        return inner.map(\.name)
      }
      #expect(Set(page.column(0, below: "`\(name)`,")) == Set(members))
    }
  }

  @Test func `what is left out has the default of the page`() throws {
    let bare = SubmitRequest(
      key: "0123456789abcdef", identifier: "a.b", title: "A", speaksPage: false)
    let written = try job(of: bare)
    let none = [
      "none", "never", "by kind", "longer each time", "nothing", "false", "0", "1", "ask",
    ]
    for row in rows where row[2] != "required" && row[0] != "requirements" {
      switch written.first(where: { $0.name == row[0] })?.value {
      case .natural(let number): #expect(row[2] == "\(number)", "\(row[0])")
      case .bool(let flag): #expect(row[2] == "\(flag)", "\(row[0])")
      case .string(let text): #expect(row[2] == (text.isEmpty ? "empty" : text), "\(row[0])")
      case nil, .null: #expect(none.contains(row[2]), "\(row[0])")
      default: Issue.record("\(row[0])")
      }
    }
    for row in rows where row[2] == "required" {
      #expect(["key", "identifier", "title", "speaksPage"].contains(row[0]))
    }
  }

  @Test func `what a launch order says of its job is on the order's page`() throws {
    let job = JobRecord(
      number: JobNumber(1), submission: try Samples.submission.submission(), title: "T",
      submittedMilliseconds: 1)
    var record = RecoveryRecord(record: job, boot: "b")
    record.mount = 1
    let order = try Document("Sources/JobPage/launch-order.md")
    #expect(order.column(0, below: "## The job's JSON") == (try names(text(record.json))))
  }

  /// The members of the argument `job`.
  private func job(of request: SubmitRequest) throws -> [JSONMember] {
    let line = Samples.bytes(RequestLine(id: 1, .submit(request)))
    guard case .object(let members) = try JSONReader.value(of: line.dropLast()),
      case .object(let job)? = members.first(where: { $0.name == "job" })?.value
    else { return [] }
    return job
  }
}

/// The names of the members of the object that this is, in order.
private func names(_ json: String) throws -> [String] {
  guard case .object(let members) = try JSONReader.value(of: line(json)) else { return [] }
  return members.map(\.name)
}

/// The same with those of the objects within, also of the first in a list: `gpu.devices.uuid`.
private func paths(_ json: String) throws -> [String] {
  func paths(_ value: JSONValue, below path: String) -> [String] {
    switch value {
    case .object(let members):
      members.flatMap { paths($0.value, below: path.isEmpty ? $0.name : "\(path).\($0.name)") }
    case .array(let elements): elements.first.map { paths($0, below: path) } ?? [path]
    default: [path]
    }
  }
  return paths(try JSONReader.value(of: line(json)), below: "")
}

private func string(_ name: String, of json: String) throws -> String? {
  guard case .object(let members) = try JSONReader.value(of: line(json)),
    case .string(let text)? = members.first(where: { $0.name == name })?.value
  else { return nil }
  return text
}
