import JobCore

extension JobStatus {
  /// The object as JSON without newline: what `--json` prints and the store keeps with its events.
  package var json: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(1024)
    var writer = JSONWriter(taking: &bytes)
    writer.value(self)
    writer.finish(into: &bytes)
    return bytes
  }
}

extension JobProgress {
  /// The object as it stands in a job's, without newline.
  package var json: [UInt8] {
    var writer = JSONWriter()
    writer.value(self)
    return writer.bytes
  }
}

extension JSONWriter {
  /// Every field in the order of the documentation, null when absent.
  package mutating func value(_ job: JobStatus) {
    beginObject()
    identity(of: job)
    state(of: job)
    attempt(of: job)
    field("gpus", job.gpus)
    field("warning", job.warning)
    field("attached", job.attached)
    field("stateDirectory", job.stateDirectory)
    firstTerms(job.terms)
    field("quietUntil", job.quietUntil)
    laterTerms(job.terms)
    endObject()
  }

  private mutating func identity(of job: JobStatus) {
    field("number", job.number.value)
    field("identifier", job.identifier)
    field("definition", job.definition)
    field("title", job.title)
    field("subtitle", job.subtitle)
  }

  private mutating func state(of job: JobStatus) {
    field("state", job.state.rawValue)
    field("outcome", job.outcome?.rawValue)
    reason("stopReason", job.stopReason.map { ($0.code.rawValue, $0.message) })
    reason("pendingReason", job.pendingReason.map { ($0.code.rawValue, $0.message) })
    field("position", job.position)
    key("prompt")
    if let prompt = job.prompt {
      beginObject()
      field("question", prompt.question)
      field("since", prompt.since)
      endObject()
    } else {
      null()
    }
    key("progress")
    if let progress = job.progress { value(progress) } else { null() }
    field("message", job.message)
  }

  private mutating func attempt(of job: JobStatus) {
    field("attempt", job.attempt)
    field("exitCode", job.exitCode)
    field("signal", job.signal)
    field("pid", job.pid)
    field("submitted", job.submitted)
    field("started", job.started)
    field("ended", job.ended)
    field("cpuSeconds", job.cpuSeconds)
    field("maxResidentBytes", job.maxResidentBytes)
    field("log", job.log)
  }

  fileprivate mutating func value(_ progress: JobProgress) {
    beginObject()
    field("completed", progress.completed)
    field("total", progress.total)
    field("unit", progress.unit.rawValue)
    field("fraction", progress.fraction)
    field("rate", progress.rate)
    field("eta", progress.eta)
    field("source", progress.source.rawValue)
    field("recogniser", progress.recogniser)
    field("changed", progress.changed)
    field("interval", progress.interval)
    field("note", progress.note)
    endObject()
  }

  private mutating func reason(_ name: StaticString, _ reason: (code: String, message: String)?) {
    key(name)
    guard let reason else { return null() }
    beginObject()
    field("code", reason.code)
    field("message", reason.message)
    endObject()
  }
}
