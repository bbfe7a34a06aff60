/// The members of a JSON object, asked for by name and type; what is missing or mistyped becomes a
/// sentence that names it.
///
/// Unknown members are ignored: fields are only ever added.
package struct JSONFields {
  private let members: [JSONMember]
  /// Where the object stands in the message, for sentences: `job.progress.`; empty at the top.
  private let path: String

  init(_ members: [JSONMember], path: String = "") {
    self.members = members
    self.path = path
  }

  /// What they are called.
  var names: [String] { members.map { $0.name } }

  /// The object that one line of the socket holds.
  init(line: ArraySlice<UInt8>) throws(WireError) {
    let value: JSONValue
    do throws(JSONSyntaxError) {
      value = try JSONReader.value(of: line)
    } catch {
      throw WireError(.badFrame, "the line is not JSON: it \(error.message)")
    }
    guard case .object(let members) = value else {
      throw WireError(.badFrame, "the line must be an object")
    }
    self.init(members)
  }

  /// Nil when the member is missing or null.
  func value(_ name: StaticString) -> JSONValue? {
    // Most names are told apart by their length, which costs nothing.
    let length = name.utf8CodeUnitCount
    for member in members
    where member.name.utf8.count == length && isEqual(member.name, name) {
      if case .null = member.value { return nil }
      return member.value
    }
    return nil
  }

  private func isEqual(_ text: String, _ name: StaticString) -> Bool {
    name.withUTF8Buffer { name in
      unsafe text.utf8.withContiguousStorageIfAvailable { unsafe $0.elementsEqual(name) } ?? false
    }
  }

  func object(_ name: StaticString) throws(WireError) -> JSONFields {
    let place = FieldPlace(path: path, name: name)
    guard case .object(let members) = try required(name, value(name)) else {
      throw mistyped(place, "an object")
    }
    return JSONFields(members, path: "\(place.text).")
  }

  /// Nil when the member is missing or null.
  func optional<Value: FieldValue>(_ name: StaticString) throws(WireError) -> Value? {
    guard let value = value(name) else { return nil }
    let place = FieldPlace(path: path, name: name)
    guard let read = try Value.read(value, at: place) else { throw mistyped(place, Value.wanted) }
    return read
  }

  func required<Value: FieldValue>(_ name: StaticString) throws(WireError) -> Value {
    try required(name, try optional(name))
  }

  private func required<Value>(_ name: StaticString, _ value: Value?) throws(WireError) -> Value {
    guard let value else { throw WireError(.usage, "\"\(path)\(name)\" is missing") }
    return value
  }

  private func mistyped(_ place: FieldPlace, _ wanted: String) -> WireError {
    WireError(.usage, "\"\(place.text)\" must be \(wanted)")
  }
}
