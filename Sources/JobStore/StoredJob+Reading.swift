import JobCore

extension StoredJob {
  /// Reads the fixed and then the changing columns of the current row.
  ///
  /// - Throws: `corrupt`, when a value is none that was ever written.
  init(reading statement: Statement) throws(StoreError) {
    let number = statement.jobNumber()
    let key = statement.text()
    let identifierText = statement.text()
    guard let identifier = JobIdentifier(identifierText) else {
      throw StoredJob.damaged(number, "the identifier \"\(identifierText)\"")
    }
    let definition = statement.optionalText()
    var submission = Submission(key: key, identifier: identifier, speaksPage: false)
    submission.options = try Submission.Options(reading: statement, of: number)
    try submission.readBundle(statement, of: number)
    submission.notBefore = statement.optionalNumber().map { WallTime(milliseconds: $0) }
    let submitted = statement.number()
    let host = Host(reading: statement)
    submission.isHosted = host != nil
    try submission.readPrerequisites(statement, of: number)
    let onEnd = statement.optionalText()
    let executed = statement.optionalBytes(limit: 16 * 1024)
    let details = statement.optionalText()
    self.init(
      number: number, submission: submission, title: statement.shownText(),
      submittedMilliseconds: submitted)
    self.definition = definition
    self.onEnd = onEnd
    self.executed = executed
    self.details = details
    self.host = host
    subtitle = statement.shownText()
    try readState(statement)
    readAttempt(statement)
    try readPast(statement)
    lingers = statement.number() != 0
    readPause(statement)
    self.submission.isHeld = statement.number() != 0
    self.submission.seat = statement.optionalNumber(in: Submission.seats)
    engineJob = statement.optionalShownText()
    node = statement.optionalShownText()
  }

  private mutating func readPause(_ statement: Statement) {
    pausedSince = statement.optionalUnsigned().map { Instant(nanoseconds: $0) }
    keepsSlot = statement.number() != 0
    isToResume = statement.number() != 0
    paused = Span(nanoseconds: statement.unsigned())
    pauseMark = statement.unsigned()
    pausedMilliseconds = statement.optionalNumber()
    pausedFor = .milliseconds(statement.unsigned())
    quietUntil = Instant(nanoseconds: statement.unsigned())
    quietExtension = Span(nanoseconds: statement.unsigned())
  }

  private mutating func readState(_ statement: Statement) throws(StoreError) {
    phase = try statement.choice(of: number, "state")
    outcome = try statement.optionalChoice(of: number, "outcome")
    let code: StopReason.Code? = try statement.optionalChoice(of: number, "stop reason")
    let text = statement.shownText()
    stopReason = code.map { StopReason($0, text) }
    message = statement.optionalShownText()
    warning = statement.optionalShownText()
  }

  private mutating func readAttempt(_ statement: Statement) {
    attempt = statement.number(in: StoredJob.attempts)
    exitCode = statement.optionalNumber(in: .min ... .max)
    signal = statement.optionalNumber(in: 0 ... .max)
    pid = statement.optionalNumber(in: 0 ... .max)
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
    bytesRead = statement.optionalUnsigned()
    bytesWritten = statement.optionalUnsigned()
    processorMillijoules = statement.optionalUnsigned()
    gpuMillijoules = statement.optionalUnsigned()
  }

  private mutating func readPast(_ statement: Statement) throws(StoreError) {
    failures = statement.number(in: StoredJob.attempts)
    spent = Span(nanoseconds: statement.unsigned())
    runningSince = statement.optionalUnsigned().map { Instant(nanoseconds: $0) }
    let code: PendingReason.Code? = try statement.optionalChoice(of: number, "reason to wait")
    let text = statement.shownText()
    let until = Instant(nanoseconds: statement.unsigned())
    let untilMilliseconds = statement.number()
    delay = code.map {
      Delay(
        reason: PendingReason($0, text), until: until, untilMilliseconds: untilMilliseconds)
    }
    stallTimeout = statement.optionalUnsigned().map { Span(nanoseconds: $0) }
    // Read whether or not there is progress: the columns come one after the other.
    let recogniser = statement.optionalText()
    progress?.recogniser = recogniser
  }

  static func damaged(_ number: JobNumber, _ what: String) -> StoreError {
    .corrupt(
      StoreError.Failure(
        operation: "reading job \(number)", code: 0, message: "\(what) is not valid"))
  }
}

extension Submission {
  fileprivate mutating func readBundle(
    _ statement: Statement, of number: JobNumber
  ) throws(StoreError) {
    guard let text = statement.optionalText() else { return }
    guard let identifier = JobIdentifier(text) else {
      throw StoredJob.damaged(number, "the bundle \"\(text)\"")
    }
    bundle = identifier
  }

  fileprivate mutating func readPrerequisites(
    _ statement: Statement, of number: JobNumber
  ) throws(StoreError) {
    let text = statement.text()
    for part in text.split(separator: ",") {
      let anyEnd = part.hasSuffix("*")
      guard let other = UInt64(anyEnd ? part.dropLast() : part).map(JobNumber.init),
        other.isPossible
      else { throw StoredJob.damaged(number, "what it comes after, \"\(text)\",") }
      after.append(Prerequisite(other, anyEnd: anyEnd))
    }
  }
}

extension StoredJob.Host {
  fileprivate init?(reading statement: Statement) {
    let mark = statement.optionalText()
    let pid: Int32 = statement.number(in: 0 ... .max)
    let startTime = statement.unsigned()
    guard let mark else { return nil }
    self.init(mark: mark, pid: pid, startTime: startTime)
  }
}

extension Statement {
  /// The next column: the number of a job.
  func jobNumber() -> JobNumber { JobNumber(number(in: 1...JobNumber.largest.value)) }

  func unsigned() -> UInt64 { UInt64(bitPattern: number()) }

  func optionalUnsigned() -> UInt64? {
    optionalNumber().map { UInt64(bitPattern: $0) }
  }

  func choice<Choice: RawRepresentable>(
    of number: JobNumber, _ name: String
  ) throws(StoreError) -> Choice where Choice.RawValue == String {
    let text = text()
    guard let choice = Choice(rawValue: text) else {
      throw StoredJob.damaged(number, "the \(name) \"\(text)\"")
    }
    return choice
  }

  fileprivate func optionalChoice<Choice: RawRepresentable>(
    of number: JobNumber, _ name: String
  ) throws(StoreError) -> Choice? where Choice.RawValue == String {
    guard let text = optionalText() else { return nil }
    guard let choice = Choice(rawValue: text) else {
      throw StoredJob.damaged(number, "the \(name) \"\(text)\"")
    }
    return choice
  }
}
