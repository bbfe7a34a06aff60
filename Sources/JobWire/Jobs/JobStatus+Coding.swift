package import JobCore

extension JobStatus: Coded {
  package init() {
    self.init(
      number: JobNumber(0), identifier: "", title: "", submitted: WallTime(milliseconds: 0),
      log: "", stateDirectory: "")
  }

  /// Reads what `json` wrote.
  package init(json: ArraySlice<UInt8>) throws(WireError) { try self.init(line: json) }

  /// Every field in the order of the documentation, null when absent.
  ///
  /// In a brief list there is only what a table shows, a quarter of it: nothing that is absent or empty.
  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    let isWhole = coder.has("log")
    try codeState(with: &coder, isWhole)
    try codeAttempt(with: &coder, isWhole)
    try terms.codeFirst(with: &coder, isWhole)
    if isWhole { try coder.codeAlways(&quietUntil, "quietUntil") }
    try terms.codeLater(with: &coder, isWhole)
    guard isWhole else {
      try coder.code(&terms.engine, "engine")
      try coder.code(&terms.pool, "pool")
      try coder.code(&terms.batchSize, "batchSize")
      try coder.code(&paused, "paused")
      try coder.code(&folded, "folded")
      return
    }
    try coder.codeAlways(&paused, "paused")
    try coder.codeAlways(&controlGroup, "controlGroup")
    try coder.codeAlways(&use.bytesRead, "bytesRead")
    try coder.codeAlways(&use.bytesWritten, "bytesWritten")
    try coder.codeAlways(&terms.engine, "engine")
    try coder.codeAlways(&engineJob, "engineJob")
    try coder.codeAlways(&node, "node")
    try coder.codeAlways(&terms.pool, "pool")
    try coder.codeAlways(&use.processorJoules, "processorJoules")
    try coder.codeAlways(&use.gpuJoules, "gpuJoules")
    try coder.codeAlways(&terms.options, "options")
    try use.codeCounters(with: &coder, null: true)
    try coder.codeAlways(&terms.stdout, "stdout")
    try coder.codeAlways(&terms.stderr, "stderr")
    try coder.codeAlways(&terms.batchSize, "batchSize")
    try coder.codeAlways(&terms.send, "send")
    try coder.codeAlways(&terms.fetch, "fetch")
    try coder.code(&terms.awaitedBy, "awaitedBy", usual: [])
  }

  private mutating func codeState<Coder: FieldCoder>(
    with coder: inout Coder, _ isWhole: Bool
  ) throws(Coder.Failure) {
    try coder.code(&number, "number")
    try coder.code(&identifier, "identifier")
    try coder.code(&definition, "definition", null: isWhole)
    try coder.code(&title, "title")
    if isWhole { try coder.codeAlways(&subtitle, "subtitle") }
    try coder.code(&state, "state")
    try coder.code(&outcome, "outcome", null: isWhole)
    try coder.code(&stopReason, "stopReason", null: isWhole)
    try coder.code(&pendingReason, "pendingReason", null: isWhole)
    try coder.code(&position, "position", null: isWhole)
    try coder.code(&prompt, "prompt", null: isWhole)
    try coder.code(&progress, "progress", null: isWhole)
  }

  private mutating func codeAttempt<Coder: FieldCoder>(
    with coder: inout Coder, _ isWhole: Bool
  ) throws(Coder.Failure) {
    if isWhole {
      try coder.codeAlways(&message, "message")
      try coder.code(&attempt, "attempt")
      try coder.codeAlways(&exitCode, "exitCode")
      try coder.codeAlways(&signal, "signal")
      try coder.codeAlways(&pid, "pid")
    }
    try coder.code(&submitted, "submitted")
    try coder.code(&started, "started", null: isWhole)
    try coder.code(&ended, "ended", null: isWhole)
    if isWhole {
      try coder.codeAlways(&use.cpuSeconds, "cpuSeconds")
      try coder.codeAlways(&use.maxResidentBytes, "maxResidentBytes")
      try coder.code(&log, "log")
      try coder.codeAlways(&gpus, "gpus")
    }
    try coder.code(&warning, "warning", null: isWhole)
    guard isWhole else { return }
    try coder.codeAlways(&attached, "attached")
    try coder.codeAlways(&stateDirectory, "stateDirectory")
  }
}

extension JobStatus.Terms {
  /// Those that every job had from the first version on.
  fileprivate mutating func codeFirst<Coder: FieldCoder>(
    with coder: inout Coder, _ isWhole: Bool
  ) throws(Coder.Failure) {
    if isWhole { try coder.codeAlways(&kind, "kind") }
    try coder.code(&earliest, "earliest", null: isWhole)
    try coder.code(&requires, "requires", usual: [], always: isWhole)
    guard isWhole else { return }
    try coder.codeAlways(&after, "after")
    try coder.codeAlways(&onEnd, "onEnd")
  }

  /// Those that came later, behind everything else.
  fileprivate mutating func codeLater<Coder: FieldCoder>(
    with coder: inout Coder, _ isWhole: Bool
  ) throws(Coder.Failure) {
    if isWhole {
      try coder.codeAlways(&command, "command")
      try coder.codeAlways(&directory, "directory")
      try coder.codeAlways(&afterAny, "afterAny")
      try coder.codeAlways(&input, "stdin")
    }
    try coder.code(&recurrence, "recurs", null: isWhole)
    if isWhole { try coder.codeAlways(&environment, "environment") }
    try coder.code(&priority, "priority", usual: .normal, always: isWhole)
    try coder.code(&group, "group", null: isWhole)
    guard isWhole else { return }
    try coder.codeAlways(&limits, "limits")
    try coder.codeAlways(&afterOne, "afterOne")
  }
}

extension Recurrence: Coded {
  package init() { self.init(every: .zero, minuteOfDay: nil) }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    let seconds = try coder.coded(every.milliseconds / 1000, "everySeconds")
    let clock = try coder.coded(minuteOfDay.map(ClockText.format), "at", null: true)
    let days = try coder.coded(self.days, "days", null: true)
    guard coder.isReading else { return }
    self = Recurrence(
      every: .seconds(seconds), minuteOfDay: clock.flatMap(ClockText.parse), days: days)
  }
}

extension JobStatus.Prompt: Coded {
  package init() { self.init(question: "", since: WallTime(milliseconds: 0)) }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&question, "question")
    try coder.code(&since, "since")
  }
}

extension JobStatus.Paused: Coded {
  package init() { self.init(since: nil, seconds: 0) }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.codeAlways(&since, "since")
    try coder.codeAlways(&seconds, "seconds")
    try coder.codeAlways(&until, "until")
  }
}

extension JobProgress: Coded {
  package init() { self.init(completed: 0, total: 0) }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&completed, "completed")
    try coder.code(&total, "total")
    try coder.code(&unit, "unit")
    try coder.codeAlways(&fraction, "fraction")
    try coder.codeAlways(&rate, "rate")
    try coder.codeAlways(&eta, "eta")
    try coder.code(&source, "source")
    try coder.codeAlways(&recogniser, "recogniser")
    try coder.codeAlways(&changed, "changed")
    try coder.codeAlways(&interval, "interval")
    try coder.codeAlways(&note, "note")
    let least = try coder.coded(etaRange?.lowerBound, "etaLeast", null: true)
    let most = try coder.coded(etaRange?.upperBound, "etaMost", null: true)
    if let least, let most, least <= most { etaRange = least...most }
    try coder.codeAlways(&line, "line")
  }
}

extension JSONWriter {
  /// What a table of jobs shows.
  package mutating func brief(_ job: JobStatus) {
    isBrief = true
    value(job)
    isBrief = false
  }
}
