package import JobCore

extension Submission.Options: Coded {
  private static let usual = Self(speaksPage: false)

  package init() { self.init(speaksPage: false) }

  /// Goes over all options in the order in which they are written, lengths of time in milliseconds.
  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    let usual = Self.usual
    var rare = rare
    try coder.option(&strategy, "strategy", usual.strategy)
    try coder.option(&ifExists, "ifExists", usual.ifExists)
    try coder.option(&requirements, "requirements", usual.requirements)
    try coder.option(&speaksPage, "speaksPage", usual.speaksPage)
    try coder.option(&onStall, "onStall", usual.onStall)
    try coder.span(&stallAfter, "stallAfterMs", usual.stallAfter)
    try coder.span(&silentAfter, "silentAfterMs")
    try coder.span(&grace, "graceMs", usual.grace)
    try coder.span(&limit, "limitMs")
    try coder.option(&resumable, "resumable", usual.resumable)
    try coder.option(&retries, "retries", usual.retries)
    try coder.span(&rare.retryDelay, "retryDelayMs", isLate: true)
    try coder.option(&observation, "observation", usual.observation)
    try coder.option(&kind, "kind", usual.kind)
    try coder.option(&priority, "priority", usual.priority)
    try coder.option(&group, "group", usual.group, isLate: true)
    try coder.option(&halts, "halts", usual.halts, isLate: true)
    try coder.option(&haltsSoon, "haltsSoon", usual.haltsSoon, isLate: true)
    try coder.option(&haltsOnSuccess, "haltsOnSuccess", usual.haltsOnSuccess, isLate: true)
    try coder.option(&rare.haltAfter, "haltAfter", usual.haltAfter, isLate: true)
    try coder.option(&retriesExpired, "retriesExpired", usual.retriesExpired, isLate: true)
    try coder.option(&rare.slots, "slots", usual.slots, isLate: true)
    try coder.option(&isExclusive, "exclusive", usual.isExclusive, isLate: true)
    try coder.option(&rare.groupSlots, "groupSlots", usual.groupSlots, isLate: true)
    try coder.span(&rare.startsApart, "startsApartMs", isLate: true)
    try coder.option(&engine, "engine", usual.engine, isLate: true)
    try coder.option(&onSlow, "onSlow", usual.onSlow, isLate: true)
    try coder.span(&rare.answerWithin, "answerWithinMs", isLate: true)
    if coder.isReading { self.rare = rare }
  }
}

extension Requirements: Coded {
  private static let usual = Self()

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    let usual = Self.usual
    try coder.option(&gpuCount, "gpus", usual.gpuCount)
    try coder.option(&gpuMemoryBytes, "gpuMemory", usual.gpuMemoryBytes)
    try coder.option(&processors, "processors", usual.processors)
    try coder.option(&memoryBytes, "memory", usual.memoryBytes)
    try coder.option(&diskBytes, "disk", usual.diskBytes)
    try coder.option(&network, "network", usual.network)
    try coder.option(&power, "power", usual.power)
    try coder.option(&counted, "counted", usual.counted, isLate: true)
    try coder.option(&whenIdle, "whenIdle", usual.whenIdle, isLate: true)
  }
}

extension Submission.Strategy: FieldValue {}
extension Submission.IfExists: FieldValue {}
extension Submission.OnStall: FieldValue {}
extension Submission.OnSlow: FieldValue {}
extension Submission.Kind: FieldValue {}
extension Submission.Priority: FieldValue {}

extension FieldCoder {
  fileprivate mutating func option<Value: FieldValue & Equatable>(
    _ value: inout Value, _ name: StaticString, _ usual: Value, isLate: Bool = false
  ) throws(Failure) {
    var optional: Value? = value
    try option(&optional, name, usual, isLate: isLate)
    value = optional ?? value
  }

  fileprivate mutating func span(
    _ span: inout Interval, _ name: StaticString, _ usual: Interval
  ) throws(Failure) {
    var milliseconds = span.milliseconds
    try option(&milliseconds, name, usual.milliseconds)
    if isReading { span = .milliseconds(milliseconds) }
  }

  /// Usually nil.
  fileprivate mutating func span(
    _ span: inout Interval?, _ name: StaticString, isLate: Bool = false
  ) throws(Failure) {
    var milliseconds = span?.milliseconds
    try option(&milliseconds, name, nil, isLate: isLate)
    if isReading { span = milliseconds.map { .milliseconds($0) } }
  }
}
