/// What a field of a message or a record may hold.
package protocol FieldValue {
  /// The kind of value, for a sentence: `a string`.
  static var wanted: String { get }

  func write(to writer: inout JSONWriter)
  /// Nil for a value of another kind.
  static func read(_ value: JSONValue, at place: FieldPlace) throws(WireError) -> Self?
}

/// A value that is written as another one, such as a name as a string.
package protocol FieldRepresentable: FieldValue {
  associatedtype Field: FieldValue

  var field: Field { get }
  /// Nil, or a sentence, for a field that is none of these values.
  init?(field: Field) throws(WireError)
}

extension FieldRepresentable {
  package static var wanted: String { Field.wanted }

  package func write(to writer: inout JSONWriter) { field.write(to: &writer) }

  package static func read(_ value: JSONValue, at place: FieldPlace) throws(WireError) -> Self? {
    guard let field = try Field.read(value, at: place) else { return nil }
    return try Self(field: field)
  }
}

/// Where a value stands in a message: `job.progress.unit`.
package struct FieldPlace {
  /// That of the object around it: `job.progress.`; empty at the top.
  var path: String
  var name: StaticString

  var text: String { "\(path)\(name)" }
}

extension Bool: FieldValue {
  package static var wanted: String { "true or false" }

  package func write(to writer: inout JSONWriter) { writer.value(self) }

  package static func read(_ value: JSONValue, at place: FieldPlace) -> Bool? {
    if case .bool(let flag) = value { flag } else { nil }
  }
}

extension String: FieldValue {
  package static var wanted: String { "a string" }

  package func write(to writer: inout JSONWriter) { writer.value(self) }

  package static func read(_ value: JSONValue, at place: FieldPlace) -> String? {
    if case .string(let text) = value { text } else { nil }
  }
}

extension Double: FieldValue {
  package static var wanted: String { "a number" }

  package func write(to writer: inout JSONWriter) { writer.value(self) }

  package static func read(_ value: JSONValue, at place: FieldPlace) -> Double? {
    switch value {
    case .natural(let number): Double(number)
    case .negative(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }
}

extension FieldValue where Self: FixedWidthInteger {
  /// The limits of 64 bits would say little.
  package static var wanted: String {
    if bitWidth < 64 { return "a whole number from \(min) to \(max)" }
    return isSigned ? "a whole number" : "a whole number of 0 or more"
  }

  package func write(to writer: inout JSONWriter) {
    if let small = Int64(exactly: self) { writer.value(small) } else { writer.value(UInt64(self)) }
  }

  package static func read(_ value: JSONValue, at place: FieldPlace) -> Self? {
    switch value {
    case .natural(let natural): Self(exactly: natural)
    case .negative(let negative): Self(exactly: negative)
    default: nil
    }
  }
}

extension Int: FieldValue {}
extension Int32: FieldValue {}
extension Int64: FieldValue {}
extension UInt8: FieldValue {}
extension UInt32: FieldValue {}
extension UInt64: FieldValue {}

extension Array: FieldValue where Element: FieldValue {
  package static var wanted: String { "a list; each item must be \(Element.wanted)" }

  package func write(to writer: inout JSONWriter) {
    writer.beginArray()
    for element in self { element.write(to: &writer) }
    writer.endArray()
  }

  package static func read(_ value: JSONValue, at place: FieldPlace) throws(WireError) -> [Element]?
  {
    guard case .array(let values) = value else { return nil }
    var elements: [Element] = []
    elements.reserveCapacity(values.count)
    for value in values {
      guard let element = try Element.read(value, at: place) else { return nil }
      elements.append(element)
    }
    return elements
  }
}

extension FieldValue where Self: RawRepresentable & CaseIterable, RawValue == String {
  package static var wanted: String { words(Self.self) }

  package func write(to writer: inout JSONWriter) { writer.value(rawValue) }

  package static func read(_ value: JSONValue, at place: FieldPlace) -> Self? {
    if case .string(let text) = value { Self(rawValue: text) } else { nil }
  }
}

/// `one of a, b, c`.
func words<Word: RawRepresentable & CaseIterable>(_ type: Word.Type) -> String
where Word.RawValue == String {
  "one of " + Word.allCases.map { $0.rawValue }.joined(separator: ", ")
}
