import JobCore

extension Response: CodedChoice {
  package enum Kind: String, CaseIterable, FieldValue {
    case empty, submitted, submittedMany, tally, job, count, totals, resources, machines, status
    case command
  }

  package static var kindField: StaticString { "kind" }

  package init() { self = .empty }

  package init(_ kind: Kind) {
    self =
      switch kind {
      case .empty: .empty
      case .submitted: .submitted(JobStatus(), kept: false, duplicate: false)
      case .submittedMany: .submittedMany(first: JobNumber(0), count: 0, duplicate: false)
      case .tally: .tally(JobTally())
      case .job: .job(JobStatus(), message: nil)
      case .count: .count(0)
      case .totals: .totals([])
      case .resources: .resources(ResourcesReport())
      case .machines: .machines([])
      case .status: .status(RunnerStatus())
      case .command: .command([])
      }
  }

  package var kind: Kind {
    switch self {
    case .empty: .empty
    case .submitted: .submitted
    case .submittedMany: .submittedMany
    case .tally: .tally
    case .job: .job
    case .count: .count
    case .totals: .totals
    case .resources: .resources
    case .machines: .machines
    case .status: .status
    case .command: .command
    }
  }

  package func coded<Coder: FieldCoder>(
    with coder: inout Coder
  ) throws(Coder.Failure) -> Response {
    switch self {
    case .empty: .empty
    case .submitted(let job, let kept, let duplicate):
      .submitted(
        try coder.coded(job, "job"), kept: try coder.coded(kept, "kept"),
        duplicate: try coder.coded(duplicate, "duplicate"))
    case .submittedMany(let first, let count, let duplicate):
      .submittedMany(
        first: try coder.coded(first, "first"), count: try coder.coded(count, "count"),
        duplicate: try coder.coded(duplicate, "duplicate"))
    case .tally(let tally): .tally(try coder.inline(tally))
    case .job(let job, let message):
      .job(try coder.coded(job, "job"), message: try coder.coded(message, "message"))
    case .count(let count, let isHeld):
      .count(
        try coder.coded(count, "count"), isHeld: try coder.coded(isHeld, "held", usual: false))
    case .totals(let totals): .totals(try coder.coded(totals, "totals"))
    case .resources(let report): .resources(try coder.inline(report))
    case .machines(let machines): .machines(try coder.coded(machines, "machines"))
    case .status(let status): .status(try coder.inline(status))
    case .command(let words): .command(try coder.coded(words, "command"))
    }
  }
}

extension ReplyLine: Coded {
  package init() { self = .error(id: nil, WireError()) }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    if coder.isReading, !coder.has("error") {
      self = coder.has("ok") ? .ok(id: 0, .empty) : .job(id: 0, JobStatus())
    }
    self =
      switch self {
      case .ok(let id, let response):
        .ok(id: try coder.coded(id, "id"), try coder.coded(response, "ok"))
      case .job(let id, let job): .job(id: try coder.coded(id, "id"), try coder.coded(job, "job"))
      case .error(let id, let error):
        .error(id: try coder.coded(id, "id", null: true), try coder.coded(error, "error"))
      }
  }

  /// The line of one job of a brief list.
  package static func appendBrief(id: UInt64, _ job: JobStatus, to bytes: inout [UInt8]) {
    var writer = JSONWriter(taking: &bytes)
    writer.beginObject()
    writer.field("id", id)
    writer.key("job")
    writer.brief(job)
    writer.endObject()
    writer.newline()
    writer.finish(into: &bytes)
  }
}

extension WireError: Coded {
  package init() { self.init(.internal, "") }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&code, "code")
    try coder.code(&message, "message")
  }

  /// `{"error":{"code":"notFound","message":"…"}}`, what a command with `--json` prints that cannot do
  /// what was asked; without newline.
  package var json: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("error")
    writer.value(self)
    writer.endObject()
    return writer.bytes
  }
}

extension ErrorCode: FieldValue {
  /// A later runner may know more codes; its sentence is still worth reading.
  package static func read(_ value: JSONValue, at place: FieldPlace) -> ErrorCode? {
    String.read(value, at: place).map { ErrorCode(rawValue: $0) ?? .internal }
  }
}

extension RunnerLine {
  /// Reads one line without its newline.
  package init(line: ArraySlice<UInt8>) throws(WireError) {
    try self.init(try JSONFields(line: line))
  }

  /// Reads one line; a job of the list `id` is passed on instead, and nil returned.
  ///
  /// A list may have a hundred thousand, and to move such large values through lines and replies takes as
  /// long as to read them.
  package static func read(
    _ line: ArraySlice<UInt8>, list id: UInt64, eachJob: (JobStatus) -> Void
  ) throws(WireError) -> RunnerLine? {
    let fields = try JSONFields(line: line)
    guard fields.has("job"), try fields.optional("id") == id else { return try RunnerLine(fields) }
    eachJob(try fields.required("job"))
    return nil
  }

  private init(_ fields: JSONFields) throws(WireError) {
    if fields.has("event") {
      self = .feed(try FeedLine(fields))
    } else if fields.has("host") {
      self = .host(try HostLine(fields))
    } else {
      self = .reply(try ReplyLine(fields))
    }
  }
}
