package import JobCore

// Values of the rules in fields.

extension JobStatus.State: FieldValue {}
extension Outcome: FieldValue {}
extension StopReason.Code: FieldValue {}
extension PendingReason.Code: FieldValue {}
extension Question.Code: FieldValue {}
extension Announcement.Kind: FieldValue {}
extension Submission.Kind: FieldValue {}
extension Submission.Priority: FieldValue {}
extension JobProgress.Unit: FieldValue {}
extension JobProgress.Source: FieldValue {}

extension JobNumber: FieldValue {
  package static var wanted: String { "a job number" }

  package func write(to writer: inout JSONWriter) { writer.value(value) }

  package static func read(_ value: JSONValue, at place: FieldPlace) -> JobNumber? {
    UInt64.read(value, at: place).map { JobNumber($0) }
  }
}

extension Instant: FieldValue {
  package static var wanted: String { UInt64.wanted }

  package func write(to writer: inout JSONWriter) { writer.value(nanoseconds) }

  package static func read(_ value: JSONValue, at place: FieldPlace) -> Instant? {
    UInt64.read(value, at: place).map { Instant(nanoseconds: $0) }
  }
}

extension Interval: FieldValue {
  package static var wanted: String { UInt64.wanted }

  package func write(to writer: inout JSONWriter) { writer.value(nanoseconds) }

  package static func read(_ value: JSONValue, at place: FieldPlace) -> Interval? {
    UInt64.read(value, at: place).map { Interval(nanoseconds: $0) }
  }
}

extension WallTime: FieldValue {
  package static var wanted: String { "a time such as 2026-03-01T12:34:56.789Z" }

  package func write(to writer: inout JSONWriter) { writer.value(self) }

  package static func read(_ value: JSONValue, at place: FieldPlace) -> WallTime? {
    String.read(value, at: place).flatMap { WallTime($0) }
  }
}

extension JobIdentifier: FieldValue {
  package static var wanted: String { "an identifier" }

  package func write(to writer: inout JSONWriter) { writer.value(text) }

  package static func read(_ value: JSONValue, at place: FieldPlace) -> JobIdentifier? {
    String.read(value, at: place).flatMap { JobIdentifier($0) }
  }
}

extension GroupName: FieldValue {
  package static var wanted: String { String.wanted }

  package func write(to writer: inout JSONWriter) { writer.value(text) }

  package static func read(_ value: JSONValue, at place: FieldPlace) throws(WireError) -> GroupName?
  {
    try String.read(value, at: place).map { text throws(WireError) in
      try GroupName(checking: text)
    }
  }
}

extension Observation: FieldValue {
  package static var wanted: String { "none, auto, make or a pattern" }

  package func write(to writer: inout JSONWriter) { writer.value(text) }

  package static func read(_ value: JSONValue, at place: FieldPlace) -> Observation? {
    String.read(value, at: place).flatMap { Observation(text: $0) }
  }
}

/// `NAME=COUNT`.
extension CountedNeed: FieldValue {
  package static var wanted: String { "a text such as licence=1" }

  package func write(to writer: inout JSONWriter) { writer.value("\(name)=\(count)") }

  package static func read(_ value: JSONValue, at place: FieldPlace) throws(WireError) -> Self? {
    guard let text = String.read(value, at: place) else { return nil }
    var requirements = Requirements()
    try RequirementText.apply(text, to: &requirements)
    return requirements.counted.first
  }
}

extension Requirements: Coded {}

extension Submission.Options: Coded {
  package init() { self.init(speaksPage: false) }
}

extension StopReason: Coded {
  package init() { self.init(.user, "") }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&code, "code")
    try coder.code(&message, "message")
  }
}

extension Question: Coded {
  package init() { self.init(.slow, "") }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&code, "code")
    try coder.code(&message, "message")
  }
}

extension PendingReason: Coded {
  package init() { self.init(.slots, "") }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    self = PendingReason(try coder.coded(code, "code"), try coder.coded(message, "message"))
  }
}

extension JobHost: Coded {
  package init() { self.init(mark: "", pid: 0, startTime: 0) }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&mark, "mark")
    try coder.code(&pid, "pid")
    try coder.code(&startTime, "startTime")
  }
}

extension Condition: Coded {
  package init() { self.init(holds: false, why: "") }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&holds, "holds")
    try coder.code(&why, "why")
  }
}
