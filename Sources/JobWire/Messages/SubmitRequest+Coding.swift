import JobCore

extension JSONWriter {
  mutating func value(_ job: SubmitRequest) {
    beginObject()
    field("key", job.key)
    field("identifier", job.identifier)
    field("definition", job.definition)
    field("title", job.title)
    field("subtitle", job.subtitle)
    field("strategy", job.strategy.rawValue)
    field("ifExists", job.ifExists.rawValue)
    key("requirements")
    value(job.requirements)
    field("speaksPage", job.speaksPage)
    field("onStall", job.onStall.rawValue)
    field("stallAfterMs", job.stallAfter.milliseconds)
    field("silentAfterMs", job.silentAfter?.milliseconds)
    field("graceMs", job.grace.milliseconds)
    field("limitMs", job.limit?.milliseconds)
    field("resumable", job.resumable)
    field("retries", job.retries)
    if let delay = job.retryDelay { field("retryDelayMs", delay.milliseconds) }
    field("observation", job.observation.text)
    field("kind", job.kind.rawValue)
    field("bundle", job.bundle)
    if job.isListed { field("listed", true) }
    field("notBefore", job.notBefore)
    if !job.after.isEmpty { field("after", job.after) }
    if !job.afterAny.isEmpty { field("afterAny", job.afterAny) }
    if let onEnd = job.onEnd { field("onEnd", onEnd) }
    if let host = job.host { field("host", host) }
    if job.details != JobDetails() {
      key("details")
      value(job.details)
    }
    endObject()
  }

  private mutating func value(_ requirements: Requirements) {
    beginObject()
    field("gpus", requirements.gpuCount)
    field("gpuMemory", requirements.gpuMemoryBytes)
    field("processors", requirements.processors)
    field("memory", requirements.memoryBytes)
    field("disk", requirements.diskBytes)
    field("network", requirements.network)
    field("power", requirements.power)
    endObject()
  }
}

extension SubmitRequest {
  init(_ fields: JSONFields) throws(WireError) {
    self.init(
      key: try fields.string("key"), identifier: try fields.string("identifier"),
      title: try fields.string("title"), speaksPage: try fields.bool("speaksPage"))
    definition = try fields.optionalString("definition")
    subtitle = try fields.optionalString("subtitle") ?? subtitle
    strategy = try fields.optionalChoice("strategy") ?? strategy
    ifExists = try fields.optionalChoice("ifExists") ?? ifExists
    if let wanted = try fields.optionalObject("requirements") {
      requirements = try Requirements(wanted)
    }
    onStall = try fields.optionalChoice("onStall") ?? onStall
    stallAfter = try fields.span("stallAfterMs") ?? stallAfter
    silentAfter = try fields.span("silentAfterMs")
    grace = try fields.span("graceMs") ?? grace
    limit = try fields.span("limitMs")
    resumable = try fields.optionalBool("resumable") ?? resumable
    retries = try fields.optionalNumber("retries") ?? retries
    retryDelay = try fields.span("retryDelayMs")
    observation = try fields.observation("observation") ?? observation
    kind = try fields.optionalChoice("kind") ?? kind
    bundle = try fields.optionalString("bundle")
    isListed = try fields.optionalBool("listed") ?? false
    notBefore = try fields.optionalTime("notBefore")
    host = try fields.optionalString("host")
    after = try fields.jobNumbers("after")
    afterAny = try fields.jobNumbers("afterAny")
    onEnd = try fields.optionalString("onEnd")
    if let wanted = try fields.optionalObject("details") { details = try JobDetails(wanted) }
  }
}

extension Requirements {
  fileprivate init(_ fields: JSONFields) throws(WireError) {
    self.init()
    gpuCount = try fields.optionalNumber("gpus") ?? 0
    gpuMemoryBytes = try fields.optionalNumber("gpuMemory") ?? 0
    processors = try fields.optionalNumber("processors") ?? 0
    memoryBytes = try fields.optionalNumber("memory") ?? 0
    diskBytes = try fields.optionalNumber("disk") ?? 0
    network = try fields.optionalBool("network") ?? false
    power = try fields.optionalBool("power") ?? false
  }
}

extension JSONFields {
  fileprivate func observation(_ name: String) throws(WireError) -> Observation? {
    guard let text = try optionalString(name) else { return nil }
    guard let observation = Observation(text: text) else {
      throw WireError(.badFrame, "\(name) is \"\(text)\"; it must be none, auto or pattern")
    }
    return observation
  }

  fileprivate func span(_ name: String) throws(WireError) -> Span? {
    try optionalNumber(name, as: UInt64.self).map { Span.milliseconds($0) }
  }
}
