/// What a supervisor on another machine has seen of its job, as the helper read it there.
package struct RemoteSample: Hashable, Sendable {
  /// Grows with each writing: the same again is no sign of life.
  package var sequence: UInt64 = 0
  package var completed: UInt64 = 0
  package var total: UInt64 = 0
  package var unit: UInt32 = 0
  package var reports: UInt64 = 0
  package var textSequence: UInt64 = 0
  package var title = ""
  package var subtitle = ""
  /// How much longer it has announced to be quiet.
  package var quietMilliseconds: UInt64 = 0
  package var reportedAgoMilliseconds: UInt64 = 0
  package var advancedAgoMilliseconds: UInt64 = 0
  package var logBytes: UInt64 = 0
  package var outcome: UInt32 = 0
  package var deferSeconds: UInt32 = 0
  package var message = ""
  /// What is wrong with the page; empty = nothing.
  package var problem = ""
  /// What is said of the job beside what it says itself; empty = nothing.
  package var warning = ""

  package init() {}
}

extension JSONWriter {
  mutating func fields(_ look: RemoteSample) {
    field("seq", look.sequence)
    field("completed", look.completed)
    field("total", look.total)
    field("unit", look.unit)
    field("reports", look.reports)
    field("textSeq", look.textSequence)
    field("title", look.title)
    field("subtitle", look.subtitle)
    field("quietMs", look.quietMilliseconds)
    field("reportedAgoMs", look.reportedAgoMilliseconds)
    field("advancedAgoMs", look.advancedAgoMilliseconds)
    field("logBytes", look.logBytes)
    field("outcome", look.outcome)
    field("deferSeconds", look.deferSeconds)
    field("message", look.message)
    field("problem", look.problem)
    field("warning", look.warning)
  }
}

extension RemoteSample {
  init(_ fields: JSONFields) throws(WireError) {
    sequence = try fields.number("seq")
    completed = try fields.number("completed")
    total = try fields.number("total")
    unit = try fields.number("unit")
    reports = try fields.number("reports")
    textSequence = try fields.number("textSeq")
    title = try fields.words("title")
    subtitle = try fields.words("subtitle")
    quietMilliseconds = try fields.number("quietMs")
    reportedAgoMilliseconds = try fields.number("reportedAgoMs")
    advancedAgoMilliseconds = try fields.number("advancedAgoMs")
    logBytes = try fields.number("logBytes")
    outcome = try fields.number("outcome")
    deferSeconds = try fields.number("deferSeconds")
    message = try fields.words("message")
    problem = try fields.words("problem")
    warning = try fields.words("warning")
  }
}
