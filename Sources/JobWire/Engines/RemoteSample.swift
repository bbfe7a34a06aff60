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

extension RemoteSample: Coded {
  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&sequence, "seq")
    try coder.code(&completed, "completed")
    try coder.code(&total, "total")
    try coder.code(&unit, "unit")
    try coder.code(&reports, "reports")
    try coder.code(&textSequence, "textSeq")
    title = try coder.sentence(title, "title")
    subtitle = try coder.sentence(subtitle, "subtitle")
    try coder.code(&quietMilliseconds, "quietMs")
    try coder.code(&reportedAgoMilliseconds, "reportedAgoMs")
    try coder.code(&advancedAgoMilliseconds, "advancedAgoMs")
    try coder.code(&logBytes, "logBytes")
    try coder.code(&outcome, "outcome")
    try coder.code(&deferSeconds, "deferSeconds")
    message = try coder.sentence(message, "message")
    problem = try coder.sentence(problem, "problem")
    warning = try coder.sentence(warning, "warning")
  }
}
