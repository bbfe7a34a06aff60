import JobCore

extension RequestLine {
  /// Reads one line without its newline.
  ///
  /// - Throws: what is wrong with it, with the number to answer under when that could be read.
  package init(line: ArraySlice<UInt8>) throws(RequestLineError) {
    var readID: UInt64?
    do throws(WireError) {
      let fields = try JSONFields(line: line)
      // A mistyped number is reported as such below; here it only cannot be echoed.
      readID = try? fields.optionalNumber("id")
      try RequestLine.checkVersion(fields)
      self.init(id: try fields.number("id"), try Request(fields))
    } catch {
      throw RequestLineError(id: readID, error)
    }
  }

  private static func checkVersion(_ fields: JSONFields) throws(WireError) {
    let found: UInt64 = try fields.number("v")
    guard found == version else {
      throw WireError(
        .badFrame,
        "the request uses protocol version \(found), and this runner speaks \(version);"
          + " use the jobrun that belongs to it, or jobrun runner restart")
    }
  }
}

extension Request {
  fileprivate init(_ fields: JSONFields) throws(WireError) {
    let name = try fields.string("op")
    guard let operation = Operation(rawValue: name) else {
      let known = Operation.allCases.map { $0.rawValue }
      throw WireError(
        .unknownOperation,
        "\"\(name)\" is not an operation" + NearestName.hint(for: name, among: known)
      )
    }
    self = try Request.read(operation, fields)
  }

  private static func read(_ operation: Operation, _ fields: JSONFields) throws(WireError)
    -> Request
  {
    switch operation {
    case .submit: .submit(try SubmitRequest(try fields.object("job")))
    case .submitMany: .submitMany(try ManyRequest(fields))
    case .list:
      .list(
        all: try fields.optionalBool("all") ?? false,
        brief: try fields.optionalBool("brief") ?? false, group: try fields.optionalGroup())
    case .show: .show(try fields.reference())
    case .cancel: .cancel(try fields.reference(), now: try fields.optionalBool("now") ?? false)
    case .cancelAll:
      .cancelAll(
        now: try fields.optionalBool("now") ?? false, try fields.optionalSelection())
    case .pause:
      .pause(try fields.reference(), keepSlot: try fields.optionalBool("keepSlot") ?? false)
    case .pauseAll:
      .pauseAll(
        keepSlot: try fields.optionalBool("keepSlot") ?? false, try fields.optionalSelection())
    case .resume: .resume(try fields.reference())
    case .resumeAll: .resumeAll(try fields.optionalSelection())
    case .pauseRunner: .pauseRunner(true)
    case .resumeRunner: .pauseRunner(false)
    case .pauseGroup: .pauseGroup(try fields.group(), true)
    case .resumeGroup: .pauseGroup(try fields.group(), false)
    case .start: .start(try fields.reference())
    case .withdraw: .withdraw(try fields.reference())
    case .answer: .answer(try fields.reference(), continues: try fields.bool("continue"))
    case .follow:
      .follow(
        try fields.references(), attach: try fields.optionalBool("attach") ?? false,
        brief: try fields.optionalBool("brief") ?? false)
    case .followMany: .followMany(try fields.selection())
    case .feed:
      .feed(
        since: try fields.optionalNumber("since"), progressHertz: try fields.progressHertz(),
        brief: try fields.optionalBool("brief") ?? false)
    case .resources: .resources
    case .status: .status
    case .stop:
      .stop(
        restart: try fields.optionalBool("restart") ?? false,
        discard: try fields.optionalBool("discard") ?? false)
    case .simulate: .simulate(try fields.choice("what"), try fields.reference())
    case .forget: .forget(try fields.reference())
    case .redo:
      .redo(try fields.reference(), force: try fields.optionalBool("force") ?? false)
    case .hold: .hold(try fields.reference())
    case .release: .release(try fields.reference())
    case .move:
      .move(
        try fields.reference(),
        behind: try fields.optionalString("behind").map { text throws(WireError) in
          try JobReference(text)
        })
    case .edit: .edit(try fields.reference(), try JobEdit(fields))
    case .reload: .reload
    case .stayAwake: .stayAwake
    case .notify:
      .notify(
        title: try fields.string("title"), body: try fields.optionalString("body") ?? "")
    case .history: .history(try HistoryQuery(fields))
    case .host: .host(try HostClaim(fields))
    case .hostBegan:
      .hostBegan(try fields.jobNumber(), attempt: try fields.number("attempt"))
    case .hostCompleted:
      .hostCompleted(try fields.jobNumber(), attempt: try fields.number("attempt"))
    }
  }
}

extension JSONFields {
  fileprivate func reference() throws(WireError) -> JobReference {
    try JobReference(try string("ref"))
  }

  fileprivate func jobNumber() throws(WireError) -> JobNumber {
    JobNumber(try number("number", as: UInt64.self))
  }

  fileprivate func selection() throws(WireError) -> JobSelection {
    if let some = try optionalSelection() { return some }
    return .range(try jobRange())
  }

  fileprivate func optionalSelection() throws(WireError) -> JobSelection? {
    if let group = try optionalGroup() { return .group(group) }
    return contains("first") ? .range(try jobRange()) : nil
  }

  fileprivate func optionalGroup() throws(WireError) -> GroupName? {
    try optionalString("group").map { text throws(WireError) in try GroupName(checking: text) }
  }

  fileprivate func group() throws(WireError) -> GroupName {
    try GroupName(checking: try string("group"))
  }

  fileprivate func jobRange() throws(WireError) -> JobRange {
    let first = JobNumber(try number("first", as: UInt64.self))
    let count: Int = try number("count")
    guard first.isPossible, (1...Limits.jobsAtOnce).contains(count) else {
      throw WireError(
        .usage,
        "\(count) jobs from \(first) on are not a range; a range has 1 to \(Limits.jobsAtOnce) jobs"
      )
    }
    return JobRange(first: first, count: count)
  }

  fileprivate func references() throws(WireError) -> [JobReference] {
    let texts = try strings("refs")
    guard texts.count <= Limits.followedJobs else {
      throw WireError(
        .usage, "\(texts.count) jobs are too many to follow at once; use jobrun feed for all")
    }
    var references: [JobReference] = []
    for text in texts { references.append(try JobReference(text)) }
    return references
  }

  /// Held within what the runner gives; 0 = no progress lines.
  fileprivate func progressHertz() throws(WireError) -> Int {
    let wanted = try optionalNumber("progressHz", as: Int.self) ?? Limits.progressHertzUsual
    return min(max(0, wanted), Limits.progressHertz)
  }
}
