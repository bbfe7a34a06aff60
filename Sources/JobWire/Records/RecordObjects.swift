import JobCore

// What is an object within a record.

extension StopReason: RecordObject {
  init() { self.init(.user, "") }

  mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&code, "code")
    try coder.code(&message, "message")
  }
}

extension Question: RecordObject {
  init() { self.init(.slow, "") }

  mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&code, "code")
    try coder.code(&message, "message")
  }
}

extension PendingReason: RecordObject {
  init() { self.init(.slots, "") }

  mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) {
    var (code, message) = (code, message)
    try coder.code(&code, "code")
    try coder.code(&message, "message")
    self = PendingReason(code, message)
  }
}

extension JobRecord.Delay: RecordObject {
  init() {
    self.init(reason: PendingReason(), until: Instant(nanoseconds: 0), untilMilliseconds: 0)
  }

  mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&reason, "reason")
    try coder.code(&until, "untilNs")
    try coder.code(&untilMilliseconds, "untilMs")
  }
}

extension JobHost: RecordObject {
  init() { self.init(mark: "", pid: 0, startTime: 0) }

  mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&mark, "mark")
    try coder.code(&pid, "pid")
    try coder.code(&startTime, "startTime")
  }
}

extension JobProgress: RecordObject {
  init() { self.init(completed: 0, total: 0) }

  /// What a later runner may say of it: no pace, as nobody has looked meanwhile.
  mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&completed, "completed")
    try coder.code(&total, "total")
    try coder.code(&unit, "unit")
    try coder.code(&source, "source")
    try coder.code(&recogniser, "recogniser")
    self = JobProgress(
      completed: completed, total: total, unit: unit, source: source, recogniser: recogniser)
  }
}

extension Submission.Options: RecordValue {
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.value(self)
    writer.endObject()
  }

  static func read(_ name: String, of fields: JSONFields) throws(WireError) -> Self? {
    guard let fields = try fields.optionalObject(name) else { return nil }
    var options = Self(speaksPage: false)
    try options.read(fields)
    return options
  }
}

extension JobDetails: RecordValue {
  func write(to writer: inout JSONWriter) { writer.value(self) }

  static func read(_ name: String, of fields: JSONFields) throws(WireError) -> JobDetails? {
    try fields.optionalObject(name).map { fields throws(WireError) in try JobDetails(fields) }
  }
}
