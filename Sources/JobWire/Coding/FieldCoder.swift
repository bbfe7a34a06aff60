/// Writes the fields of a message or a record one by one, or reads them.
///
/// A reader leaves a field as it is where nothing is written of it.
package protocol FieldCoder {
  associatedtype Failure: Error

  /// Whether values are replaced by what is read.
  var isReading: Bool { get }
  /// Whether such a field is read or written at all; a brief list leaves out most of a job.
  func has(_ name: StaticString) -> Bool

  /// Must be there when it is read.
  mutating func code<Value: FieldValue>(
    _ value: inout Value, _ name: StaticString
  ) throws(Failure)
  /// `null`: whether null is written for nil, which is left out otherwise.
  mutating func code<Value: FieldValue>(
    _ value: inout Value?, _ name: StaticString, null: Bool
  ) throws(Failure)
  /// Nothing is written where it is as usual, unless it is written `always`.
  mutating func code<Value: FieldValue & Equatable>(
    _ value: inout Value, _ name: StaticString, usual: Value, always: Bool
  ) throws(Failure)
  /// May be missing when it is read.
  mutating func codeAlways<Value: FieldValue>(
    _ value: inout Value, _ name: StaticString
  ) throws(Failure)
  /// An option of a submission, which is null where it is nil.
  ///
  /// `isLate`: it came after the first messages, which have a null for each option, and is left out where it is
  /// as usual.
  mutating func option<Value: FieldValue & Equatable>(
    _ value: inout Value?, _ name: StaticString, _ usual: Value?, isLate: Bool
  ) throws(Failure)
}

extension FieldCoder {
  package mutating func code<Value: FieldValue>(
    _ value: inout Value?, _ name: StaticString
  ) throws(Failure) {
    try code(&value, name, null: false)
  }

  package mutating func codeAlways<Value: FieldValue>(
    _ value: inout Value?, _ name: StaticString
  ) throws(Failure) {
    try code(&value, name, null: true)
  }

  package mutating func code<Value: FieldValue & Equatable>(
    _ value: inout Value, _ name: StaticString, usual: Value
  ) throws(Failure) {
    try code(&value, name, usual: usual, always: false)
  }
}

// The same for a value that a case of an enumeration carries: what is written, or what was read.
extension FieldCoder {
  package mutating func coded<Value: FieldValue>(
    _ value: Value, _ name: StaticString
  ) throws(Failure) -> Value {
    var value = value
    try code(&value, name)
    return value
  }

  package mutating func coded<Value: FieldValue>(
    _ value: Value?, _ name: StaticString, null: Bool = false
  ) throws(Failure) -> Value? {
    var value = value
    try code(&value, name, null: null)
    return value
  }

  package mutating func coded<Value: FieldValue & Equatable>(
    _ value: Value, _ name: StaticString, usual: Value, always: Bool = false
  ) throws(Failure) -> Value {
    var value = value
    try code(&value, name, usual: usual, always: always)
    return value
  }

  /// Its fields, in the object that is open.
  package mutating func inline<Value: Coded>(_ value: Value) throws(Failure) -> Value {
    var value = value
    try value.code(with: &self)
    return value
  }
}

extension JSONWriter: FieldCoder {
  package typealias Failure = Never

  package var isReading: Bool { false }

  package func has(_ name: StaticString) -> Bool { !isBrief }

  package mutating func code<Value: FieldValue>(_ value: inout Value, _ name: StaticString) {
    key(name)
    value.write(to: &self)
  }

  package mutating func code<Value: FieldValue>(
    _ value: inout Value?, _ name: StaticString, null: Bool
  ) {
    if let value {
      key(name)
      value.write(to: &self)
    } else if null {
      key(name)
      self.null()
    }
  }

  package mutating func code<Value: FieldValue & Equatable>(
    _ value: inout Value, _ name: StaticString, usual: Value, always: Bool
  ) {
    if always || value != usual { code(&value, name) }
  }

  package mutating func codeAlways<Value: FieldValue>(_ value: inout Value, _ name: StaticString) {
    code(&value, name)
  }

  package mutating func option<Value: FieldValue & Equatable>(
    _ value: inout Value?, _ name: StaticString, _ usual: Value?, isLate: Bool
  ) {
    if (isLate || leavesOutUsual) && value == usual { return }
    code(&value, name, null: true)
  }
}

extension JSONFields: FieldCoder {
  package typealias Failure = WireError

  package var isReading: Bool { true }

  package func has(_ name: StaticString) -> Bool { value(name) != nil }

  package func code<Value: FieldValue>(
    _ value: inout Value, _ name: StaticString
  ) throws(WireError) {
    value = try required(name)
  }

  package func code<Value: FieldValue>(
    _ value: inout Value?, _ name: StaticString, null: Bool
  ) throws(WireError) {
    value = try optional(name) ?? value
  }

  package func code<Value: FieldValue & Equatable>(
    _ value: inout Value, _ name: StaticString, usual: Value, always: Bool
  ) throws(WireError) {
    value = try optional(name) ?? value
  }

  package func codeAlways<Value: FieldValue>(
    _ value: inout Value, _ name: StaticString
  ) throws(WireError) {
    value = try optional(name) ?? value
  }

  package func option<Value: FieldValue & Equatable>(
    _ value: inout Value?, _ name: StaticString, _ usual: Value?, isLate: Bool
  ) throws(WireError) {
    value = try optional(name) ?? value
  }
}
