import JobCore

/// Writes the fields of a record one by one, or reads them.
///
/// A reader leaves a field as it is where nothing is written of it.
protocol RecordCoder {
  associatedtype Failure: Error

  mutating func code<Value: RecordValue>(
    _ value: inout Value, _ name: StaticString
  ) throws(Failure)
  /// Nothing is written for nil.
  mutating func code<Value: RecordValue>(
    _ value: inout Value?, _ name: StaticString
  ) throws(Failure)
  /// Nothing is written where it is as usual.
  mutating func code<Value: RecordValue & Equatable>(
    _ value: inout Value, _ name: StaticString, usual: Value
  ) throws(Failure)
}

/// What a field of a record may hold.
protocol RecordValue {
  func write(to writer: inout JSONWriter)
  /// Nil when nothing is written of it.
  static func read(_ name: String, of fields: JSONFields) throws(WireError) -> Self?
}

/// A value that is an object of fields itself.
protocol RecordObject: RecordValue {
  /// With values that reading replaces.
  init()
  mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure)
}

extension RecordObject {
  func write(to writer: inout JSONWriter) {
    var object = self
    writer.beginObject()
    object.code(with: &writer)
    writer.endObject()
  }

  static func read(_ name: String, of fields: JSONFields) throws(WireError) -> Self? {
    guard var fields = try fields.optionalObject(name) else { return nil }
    var object = Self()
    try object.code(with: &fields)
    return object
  }
}

extension JSONWriter: RecordCoder {
  mutating func code<Value: RecordValue>(_ value: inout Value, _ name: StaticString) {
    key(name)
    value.write(to: &self)
  }

  mutating func code<Value: RecordValue>(_ value: inout Value?, _ name: StaticString) {
    guard let value else { return }
    key(name)
    value.write(to: &self)
  }

  mutating func code<Value: RecordValue & Equatable>(
    _ value: inout Value, _ name: StaticString, usual: Value
  ) {
    if value != usual { code(&value, name) }
  }
}

extension JSONFields: RecordCoder {
  func code<Value: RecordValue>(
    _ value: inout Value, _ name: StaticString
  ) throws(WireError) {
    let name = name.description
    value = try required(name, try Value.read(name, of: self))
  }

  func code<Value: RecordValue>(
    _ value: inout Value?, _ name: StaticString
  ) throws(WireError) {
    value = try Value.read(name.description, of: self) ?? value
  }

  func code<Value: RecordValue & Equatable>(
    _ value: inout Value, _ name: StaticString, usual: Value
  ) throws(WireError) {
    value = try Value.read(name.description, of: self) ?? value
  }
}
