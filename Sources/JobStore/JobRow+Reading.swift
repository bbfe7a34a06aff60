import JobCore

extension JobRow {
  /// Reads the fixed and then the changing columns of the current row.
  ///
  /// - Throws: `corrupt`, when a value is none that was ever written.
  init(reading statement: Statement) throws(StoreError) {
    let number = JobNumber(statement.unsigned())
    let key = statement.text()
    let identifierText = statement.text()
    guard let identifier = JobIdentifier(identifierText) else {
      throw JobRow.damaged(number, "the identifier \"\(identifierText)\"")
    }
    let definition = statement.optionalText()
    var submission = Submission(key: key, identifier: identifier, speaksPage: false)
    try submission.readRules(statement, of: number)
    submission.requirements = Requirements(reading: statement)
    try submission.readSchedule(statement, of: number)
    let submitted = statement.number()
    let host = Host(reading: statement)
    submission.isHosted = host != nil
    let observation = statement.text()
    guard let observed = Observation(text: observation) else {
      throw JobRow.damaged(number, "the observation \"\(observation)\"")
    }
    submission.observation = observed
    try submission.readPrerequisites(statement, of: number)
    let onEnd = statement.optionalText()
    self.init(
      number: number, submission: submission, title: statement.text(),
      submittedMilliseconds: submitted)
    self.definition = definition
    self.onEnd = onEnd
    self.host = host
    subtitle = statement.text()
    try readState(statement)
    readAttempt(statement)
    try readPast(statement)
    lingers = statement.number() != 0
  }

  private mutating func readState(_ statement: Statement) throws(StoreError) {
    phase = try statement.choice(of: number, "state")
    outcome = try statement.optionalChoice(of: number, "outcome")
    let code: StopReason.Code? = try statement.optionalChoice(of: number, "stop reason")
    let text = statement.text()
    stopReason = code.map { StopReason($0, text) }
    message = statement.optionalText()
    warning = statement.optionalText()
  }

  private mutating func readAttempt(_ statement: Statement) {
    attempt = Int(statement.number())
    exitCode = statement.optionalNumber().map { Int32(truncatingIfNeeded: $0) }
    signal = statement.optionalNumber().map { Int32(truncatingIfNeeded: $0) }
    pid = statement.optionalNumber().map { Int32(truncatingIfNeeded: $0) }
    let completed = statement.optionalUnsigned()
    let total = statement.unsigned()
    let unit = statement.text()
    let source = statement.text()
    progress = completed.map {
      Progress(completed: $0, total: total, unit: unit, source: source)
    }
    gpus = statement.text().split(separator: "\n").map { String($0) }
    stalledSince = statement.optionalUnsigned().map { Instant(nanoseconds: $0) }
    stopDeadline = statement.optionalUnsigned().map { Instant(nanoseconds: $0) }
    startedMilliseconds = statement.optionalNumber()
    endedMilliseconds = statement.optionalNumber()
    cpuMicroseconds = statement.optionalUnsigned()
    maxResidentBytes = statement.optionalUnsigned()
  }

  private mutating func readPast(_ statement: Statement) throws(StoreError) {
    failures = Int(statement.number())
    spent = Span(nanoseconds: statement.unsigned())
    runningSince = statement.optionalUnsigned().map { Instant(nanoseconds: $0) }
    let code: PendingReason.Code? = try statement.optionalChoice(of: number, "reason to wait")
    let text = statement.text()
    let until = Instant(nanoseconds: statement.unsigned())
    let untilMilliseconds = statement.number()
    delay = code.map {
      Delay(
        reason: PendingReason($0, text), until: until, untilMilliseconds: untilMilliseconds)
    }
    patience = statement.optionalUnsigned().map { Span(nanoseconds: $0) }
    // Read whether or not there is progress: the columns come one after the other.
    let recogniser = statement.optionalText()
    progress?.recogniser = recogniser
  }

  static func damaged(_ number: JobNumber, _ what: String) -> StoreError {
    .corrupt(
      StoreError.Failure(
        operation: "reading job \(number)", code: 0, message: "\(what) makes no sense"))
  }
}

extension Submission {
  fileprivate mutating func readRules(
    _ statement: Statement, of number: JobNumber
  ) throws(StoreError) {
    strategy = try statement.choice(of: number, "strategy")
    ifExists = try statement.choice(of: number, "if-exists")
    speaksPage = statement.number() != 0
    onStall = try statement.choice(of: number, "on-stall")
    stallAfter = Span(nanoseconds: statement.unsigned())
    silentAfter = statement.optionalUnsigned().map { Span(nanoseconds: $0) }
    grace = Span(nanoseconds: statement.unsigned())
    limit = statement.optionalUnsigned().map { Span(nanoseconds: $0) }
    resumable = statement.number() != 0
    retries = Int(statement.number())
  }

  fileprivate mutating func readSchedule(
    _ statement: Statement, of number: JobNumber
  ) throws(StoreError) {
    kind = try statement.choice(of: number, "kind")
    if let text = statement.optionalText() {
      guard let identifier = JobIdentifier(text) else {
        throw JobRow.damaged(number, "the bundle \"\(text)\"")
      }
      bundle = identifier
    }
    notBefore = statement.optionalNumber().map { WallTime(milliseconds: $0) }
  }

  fileprivate mutating func readPrerequisites(
    _ statement: Statement, of number: JobNumber
  ) throws(StoreError) {
    let text = statement.text()
    for part in text.split(separator: ",") {
      guard let value = UInt64(part) else {
        throw JobRow.damaged(number, "what it comes after, \"\(text)\",")
      }
      after.append(Prerequisite(JobNumber(value)))
    }
  }
}

extension JobRow.Host {
  fileprivate init?(reading statement: Statement) {
    let mark = statement.optionalText()
    let pid = Int32(truncatingIfNeeded: statement.number())
    let startTime = statement.unsigned()
    guard let mark else { return nil }
    self.init(mark: mark, pid: pid, startTime: startTime)
  }
}

extension Requirements {
  fileprivate init(reading statement: Statement) {
    self.init()
    gpuCount = Int(statement.number())
    gpuMemoryBytes = statement.unsigned()
    processors = Int(statement.number())
    memoryBytes = statement.unsigned()
    diskBytes = statement.unsigned()
    network = statement.number() != 0
    power = statement.number() != 0
  }
}

extension Statement {
  fileprivate func unsigned() -> UInt64 { UInt64(bitPattern: number()) }

  fileprivate func optionalUnsigned() -> UInt64? {
    optionalNumber().map { UInt64(bitPattern: $0) }
  }

  fileprivate func choice<Choice: RawRepresentable>(
    of number: JobNumber, _ name: String
  ) throws(StoreError) -> Choice where Choice.RawValue == String {
    let text = text()
    guard let choice = Choice(rawValue: text) else {
      throw JobRow.damaged(number, "the \(name) \"\(text)\"")
    }
    return choice
  }

  fileprivate func optionalChoice<Choice: RawRepresentable>(
    of number: JobNumber, _ name: String
  ) throws(StoreError) -> Choice? where Choice.RawValue == String {
    guard let text = optionalText() else { return nil }
    guard let choice = Choice(rawValue: text) else {
      throw JobRow.damaged(number, "the \(name) \"\(text)\"")
    }
    return choice
  }
}
