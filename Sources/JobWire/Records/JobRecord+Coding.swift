package import JobCore

extension JobRecord {
  /// One line of JSON: what is as usual is left out, and the number stands beside it.
  package var json: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(1024)
    var writer = JSONWriter(taking: &bytes)
    writer.leavesOutUsual = true
    var record = self
    writer.beginObject()
    record.code(with: &writer)
    writer.endObject()
    writer.finish(into: &bytes)
    return bytes
  }

  /// Reads what `json` wrote; throws with a sentence about what is missing, mistyped or impossible.
  package init(_ number: JobNumber, json: ArraySlice<UInt8>) throws(WireError) {
    try self.init(number, try JSONFields(line: json))
  }

  init(_ number: JobNumber, _ fields: JSONFields) throws(WireError) {
    var fields = fields
    self.init(
      number: number,
      submission: Submission(key: "", identifier: .blank, speaksPage: false), title: "",
      submittedMilliseconds: 0)
    try code(with: &fields)
    try check()
  }

  /// The one list of what is kept of a job, in the order in which it is written.
  ///
  /// A field that is added here is in the store and in the launch order.
  mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try codeTerms(with: &coder)
    try codeState(with: &coder)
    try use.code(with: &coder)
    try codeTimes(with: &coder)
  }

  private mutating func codeTerms<Coder: FieldCoder>(
    with coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(&submission.key, "key")
    try coder.code(&submission.identifier, "identifier")
    try coder.code(&definition, "definition")
    try coder.code(&submission.bundle, "bundle")
    try coder.code(&title, "title")
    try coder.code(&subtitle, "subtitle", usual: "")
    try coder.code(&submittedMilliseconds, "submittedMs")
    let notBefore = try coder.coded(submission.notBefore?.milliseconds, "notBeforeMs")
    var (after, afterAny) = (submission.after.needingSuccess, submission.after.needingAnyEnd)
    var afterOne = submission.after.needingOneSuccess
    try coder.code(&after, "after", usual: [])
    try coder.code(&afterAny, "afterAny", usual: [])
    try coder.code(&afterOne, "afterOne", usual: [])
    if coder.isReading {
      submission.notBefore = notBefore.map { WallTime(milliseconds: $0) }
      submission.after = Prerequisite.list(after: after, afterAny: afterAny, afterOne: afterOne)
    }
    try coder.code(&submission.isHeld, "held", usual: false)
    var batchSize = Int(submission.batchSize)
    try coder.code(&batchSize, "batch", usual: 0)
    submission.batchSize = Int32(clamping: batchSize)
    try coder.code(&submission.seat, "seat")
    try coder.code(&submission.options, "options")
    try coder.code(&details, "details", usual: JobDetails())
    try coder.code(&details.onEnd, "onEnd")
    try coder.code(&host, "host")
    submission.isHosted = host != nil
  }

  private mutating func codeState<Coder: FieldCoder>(
    with coder: inout Coder
  ) throws(Coder.Failure) {
    var fields = StateFields(state, isDelayed: delay != nil)
    try fields.code(with: &coder)
    if coder.isReading { state = fields.state }
    try coder.code(&message, "message")
    try coder.code(&warning, "warning")
    try coder.code(&isCommandWarned, "commandWarned", usual: false)
    try coder.code(&delay, "delay")
    try coder.code(&lingers, "lingers", usual: false)
    try coder.code(&attempt, "attempt", usual: 0)
    try coder.code(&failures, "failures", usual: 0)
    try coder.code(&exitCode, "exitCode")
    try coder.code(&signal, "signal")
    try coder.code(&pid, "pid")
    try coder.code(&engineJob, "engineJob")
    try coder.code(&node, "node")
    try coder.code(&machine, "machine")
    try coder.code(&gpus, "gpus", usual: [])
    progress = try coder.coded(progress.map { KeptProgress($0) }, "progress")?.progress
  }

  private mutating func codeTimes<Coder: FieldCoder>(
    with coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(&startedMilliseconds, "startedMs")
    try coder.code(&endedMilliseconds, "endedMs")
    try coder.code(&runningSince, "runningSinceNs")
    try coder.code(&spent, "spentNs", usual: .zero)
    try coder.code(&stallTimeout, "stallTimeoutNs")
    try coder.code(&question, "question")
    try coder.code(&expected, "expectedNs")
    try coder.code(&isSimulated, "simulated", usual: false)
    try coder.code(&hasWorked, "worked", usual: false)
    try coder.code(&pausedMilliseconds, "pausedSinceMs")
    try coder.code(&paused, "pausedNs", usual: .zero)
    try coder.code(&pausedFor, "pausedForNs", usual: .zero)
    try coder.code(&pauseMark, "pauseMark", usual: 0)
    try coder.code(&quietUntil, "quietUntilNs", usual: Instant(nanoseconds: 0))
    try coder.code(&quietExtension, "quietExtensionNs", usual: .zero)
  }

  /// What no record of ours holds, and what would make numbers overflow.
  private func check() throws(WireError) {
    let counts = [attempt, failures, submission.options.retries]
    guard counts.allSatisfy({ Self.attempts.contains($0) }) else {
      throw WireError(.usage, "it has an impossible number of attempts")
    }
    guard (signal ?? 0) >= 0, (pid ?? 0) >= 0, (host?.pid ?? 0) >= 0 else {
      throw WireError(.usage, "it has a process or signal below 0")
    }
    guard submission.seat.map({ Submission.seats.contains($0) }) ?? true else {
      throw WireError(.usage, "it has an impossible place in the queue")
    }
    guard submission.after.allSatisfy({ $0.number.isPossible }) else {
      throw WireError(.usage, "it comes after an impossible job")
    }
  }
}

/// What a later runner may say of a job's progress: no pace, because it was not observed meanwhile.
private struct KeptProgress: Coded {
  var progress: JobProgress

  init(_ progress: JobProgress) { self.progress = progress }

  init() { self.init(JobProgress()) }

  mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&progress.completed, "completed")
    try coder.code(&progress.total, "total")
    try coder.code(&progress.unit, "unit")
    try coder.code(&progress.source, "source")
    try coder.code(&progress.recogniser, "recogniser")
    progress = JobProgress(
      completed: progress.completed, total: progress.total, unit: progress.unit,
      source: progress.source, recogniser: progress.recogniser)
  }
}

extension JobRecord.Delay: Coded {
  package init() {
    self.init(until: Instant(nanoseconds: 0), untilMilliseconds: 0)
  }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&until, "untilNs")
    try coder.code(&untilMilliseconds, "untilMs")
  }
}
