package import JobCore

// Values of the rules in fields.

extension JobStatus.State: FieldValue {}
extension Outcome: FieldValue {}
extension StopReason.Code: FieldValue {}
extension PendingReason.Code: FieldValue {}
extension Question.Code: FieldValue {}
extension Announcement.Kind: FieldValue {}
extension JobProgress.Unit: FieldValue {}
extension JobProgress.Source: FieldValue {}

extension JobNumber: FieldRepresentable {
  package static var wanted: String { "a job number" }

  package var field: UInt64 { value }

  package init(field: UInt64) { self.init(field) }
}

extension Instant: FieldRepresentable {
  package var field: UInt64 { nanoseconds }

  package init(field: UInt64) { self.init(nanoseconds: field) }
}

extension Interval: FieldRepresentable {
  package var field: UInt64 { nanoseconds }

  package init(field: UInt64) { self.init(nanoseconds: field) }
}

extension WallTime: FieldValue {
  package static var wanted: String { "a time such as 2026-03-01T12:34:56.789Z" }

  // Without a string in between: there are several in each line of a feed.
  package func write(to writer: inout JSONWriter) { writer.value(self) }

  package static func read(_ value: JSONValue, at place: FieldPlace) -> WallTime? {
    String.read(value, at: place).flatMap { WallTime($0) }
  }
}

extension JobIdentifier: FieldRepresentable {
  package static var wanted: String { "an identifier" }

  package var field: String { text }

  package init?(field: String) { self.init(field) }
}

extension GroupName: FieldRepresentable {
  package var field: String { text }

  package init(field: String) throws(WireError) { try self.init(stored: field) }
}

extension Observation: FieldRepresentable {
  package static var wanted: String { "none, auto, make or a pattern" }

  package var field: String { text }

  package init?(field: String) { self.init(text: field) }
}

/// `NAME=COUNT`.
extension CountedNeed: FieldRepresentable {
  package static var wanted: String { "a string such as licence=1" }

  package var field: String { "\(name)=\(count)" }

  package init?(field: String) throws(WireError) {
    var requirements = Requirements()
    try RequirementText.apply(field, to: &requirements)
    guard let need = requirements.counted.first else { return nil }
    self = need
  }
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
