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
    key("paused")
    if let paused = job.paused {
      beginObject()
      field("since", paused.since)
      field("seconds", paused.seconds)
      endObject()
    } else {
      null()
    }
    field("controlGroup", job.controlGroup)
    field("bytesRead", job.use.bytesRead)
    field("bytesWritten", job.use.bytesWritten)
    field("engine", job.terms.engine)
    field("engineJob", job.engineJob)
    field("node", job.node)
    field("processorJoules", job.use.processorJoules)
    field("gpuJoules", job.use.gpuJoules)
    options(of: job.terms)
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
    if let reason = job.stopReason {
      field("stopReason", code: reason.code.rawValue, reason.message)
    } else {
      field("stopReason", nil as String?)
    }
    if let reason = job.pendingReason {
      field("pendingReason", code: reason.code.rawValue, reason.message)
    } else {
      field("pendingReason", nil as String?)
    }
    field("position", job.position)
    if let prompt = job.prompt { field(prompt) } else { field("prompt", nil as String?) }
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
    field("cpuSeconds", job.use.cpuSeconds)
    field("maxResidentBytes", job.use.maxResidentBytes)
    field("log", job.log)
  }

  mutating func value(_ progress: JobProgress) {
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
    field("etaLeast", progress.etaRange?.lowerBound)
    field("etaMost", progress.etaRange?.upperBound)
    field("line", progress.line)
    endObject()
  }

  mutating func field(_ name: StaticString, code: String, _ message: String) {
    key(name)
    beginObject()
    field("code", code)
    field("message", message)
    endObject()
  }

  mutating func field(_ prompt: JobStatus.Prompt) {
    key("prompt")
    beginObject()
    field("question", prompt.question)
    field("since", prompt.since)
    endObject()
  }
}
