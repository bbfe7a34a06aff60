import JobCore

// What records hold: plain values, and values of the rules.

extension Bool: RecordValue {
  func write(to writer: inout JSONWriter) { writer.value(self) }

  static func read(_ name: String, of fields: JSONFields) throws(WireError) -> Bool? {
    try fields.optionalBool(name)
  }
}

extension String: RecordValue {
  func write(to writer: inout JSONWriter) { writer.value(self) }

  static func read(_ name: String, of fields: JSONFields) throws(WireError) -> String? {
    try fields.optionalString(name)
  }
}

extension RecordValue where Self: FixedWidthInteger {
  func write(to writer: inout JSONWriter) {
    if let small = Int64(exactly: self) { writer.value(small) } else { writer.value(UInt64(self)) }
  }

  static func read(_ name: String, of fields: JSONFields) throws(WireError) -> Self? {
    try fields.optionalNumber(name)
  }
}

extension Int: RecordValue {}
extension Int32: RecordValue {}
extension Int64: RecordValue {}
extension UInt64: RecordValue {}

extension RecordValue where Self: RawRepresentable & CaseIterable, RawValue == String {
  func write(to writer: inout JSONWriter) { writer.value(rawValue) }

  static func read(_ name: String, of fields: JSONFields) throws(WireError) -> Self? {
    try fields.optionalChoice(name)
  }
}

extension JobStatus.State: RecordValue {}
extension Outcome: RecordValue {}
extension StopReason.Code: RecordValue {}
extension PendingReason.Code: RecordValue {}
extension Question.Code: RecordValue {}
extension JobProgress.Unit: RecordValue {}
extension JobProgress.Source: RecordValue {}

extension Instant: RecordValue {
  func write(to writer: inout JSONWriter) { writer.value(nanoseconds) }

  static func read(_ name: String, of fields: JSONFields) throws(WireError) -> Instant? {
    try UInt64.read(name, of: fields).map { Instant(nanoseconds: $0) }
  }
}

extension Interval: RecordValue {
  func write(to writer: inout JSONWriter) { writer.value(nanoseconds) }

  static func read(_ name: String, of fields: JSONFields) throws(WireError) -> Interval? {
    try UInt64.read(name, of: fields).map { Interval(nanoseconds: $0) }
  }
}

extension WallTime: RecordValue {
  func write(to writer: inout JSONWriter) { writer.value(milliseconds) }

  static func read(_ name: String, of fields: JSONFields) throws(WireError) -> WallTime? {
    try Int64.read(name, of: fields).map { WallTime(milliseconds: $0) }
  }
}

extension JobIdentifier: RecordValue {
  func write(to writer: inout JSONWriter) { writer.value(text) }

  static func read(_ name: String, of fields: JSONFields) throws(WireError) -> JobIdentifier? {
    guard let text = try fields.optionalString(name) else { return nil }
    guard let identifier = JobIdentifier(text) else {
      throw WireError(.usage, "\"\(name)\" must be an identifier")
    }
    return identifier
  }
}

/// What a list in a record holds.
protocol RecordElement {
  func write(to writer: inout JSONWriter)
  init?(_ value: JSONValue)
}

extension Array: RecordValue where Element: RecordElement {
  func write(to writer: inout JSONWriter) {
    writer.beginArray()
    for element in self { element.write(to: &writer) }
    writer.endArray()
  }

  static func read(_ name: String, of fields: JSONFields) throws(WireError) -> [Element]? {
    guard fields.contains(name) else { return nil }
    var elements: [Element] = []
    for value in try fields.array(name) {
      guard let element = Element(value) else {
        throw WireError(.usage, "\"\(name)\" holds \(value.kindName)")
      }
      elements.append(element)
    }
    return elements
  }
}

extension String: RecordElement {
  init?(_ value: JSONValue) {
    guard case .string(let text) = value else { return nil }
    self = text
  }
}

extension JobNumber: RecordElement {
  func write(to writer: inout JSONWriter) { writer.value(value) }

  init?(_ value: JSONValue) {
    guard case .natural(let number) = value else { return nil }
    self.init(number)
  }
}
