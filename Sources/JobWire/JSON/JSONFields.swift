import JobCore

/// The members of a JSON object, asked for by name and type; what is missing or mistyped becomes a
/// sentence that names it.
///
/// Members nobody asks for are ignored: fields are only ever added.
struct JSONFields {
  private let members: [JSONMember]
  /// Where the object stands in the message, for sentences: `job.progress.`; empty at the top.
  private let path: String

  init(_ value: JSONValue, path: String = "") throws(WireError) {
    guard case .object(let members) = value else {
      let name = path.isEmpty ? "the line" : "\"\(path.dropLast())\""
      throw WireError(path.isEmpty ? .badFrame : .usage, "\(name) must be an object")
    }
    self.members = members
    self.path = path
  }

  /// What they are called.
  var names: [String] { members.map { $0.name } }

  /// Nil when the member is missing or null.
  func value(_ name: String) -> JSONValue? {
    // Most names are told apart by their length, which costs nothing.
    let length = name.utf8.count
    for member in members where member.name.utf8.count == length && member.name == name {
      if case .null = member.value { return nil }
      return member.value
    }
    return nil
  }

  func contains(_ name: String) -> Bool { value(name) != nil }

  func object(_ name: String) throws(WireError) -> JSONFields {
    try JSONFields(try required(name, value(name)), path: "\(path)\(name).")
  }

  func optionalObject(_ name: String) throws(WireError) -> JSONFields? {
    try contains(name) ? object(name) : nil
  }

  func array(_ name: String) throws(WireError) -> [JSONValue] {
    guard let value = value(name) else { return [] }
    guard case .array(let elements) = value else { throw mistyped(name, "a list") }
    return elements
  }

  func optionalString(_ name: String) throws(WireError) -> String? {
    guard let value = value(name) else { return nil }
    guard case .string(let text) = value else { throw mistyped(name, "a text") }
    return text
  }

  func optionalBool(_ name: String) throws(WireError) -> Bool? {
    guard let value = value(name) else { return nil }
    guard case .bool(let flag) = value else { throw mistyped(name, "true or false") }
    return flag
  }

  func optionalDouble(_ name: String) throws(WireError) -> Double? {
    switch value(name) {
    case nil: return nil
    case .natural(let number): return Double(number)
    case .negative(let number): return Double(number)
    case .number(let number): return number
    default: throw mistyped(name, "a number")
    }
  }

  /// Any whole number that `Number` can hold.
  func optionalNumber<Number: FixedWidthInteger>(
    _ name: String, as type: Number.Type = Number.self
  ) throws(WireError) -> Number? {
    let number: Number?
    switch value(name) {
    case nil: return nil
    case .natural(let natural): number = Number(exactly: natural)
    case .negative(let negative): number = Number(exactly: negative)
    default: number = nil
    }
    guard let number else {
      throw mistyped(name, "a whole number from \(Number.min) to \(Number.max)")
    }
    return number
  }

  /// A text that must be one of the raw values of `Choice`.
  func optionalChoice<Choice: RawRepresentable & CaseIterable>(
    _ name: String, as type: Choice.Type = Choice.self
  ) throws(WireError) -> Choice? where Choice.RawValue == String {
    guard let text = try optionalString(name) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      throw mistyped(name, "one of " + Choice.allCases.map { $0.rawValue }.joined(separator: ", "))
    }
    return choice
  }

  func optionalTime(_ name: String) throws(WireError) -> WallTime? {
    guard let text = try optionalString(name) else { return nil }
    guard let time = WallTime(text) else {
      throw mistyped(name, "a time such as 2026-03-01T12:34:56.789Z")
    }
    return time
  }

  func strings(_ name: String) throws(WireError) -> [String] {
    var texts: [String] = []
    for element in try array(name) {
      guard case .string(let text) = element else { throw mistyped(name, "a list of strings") }
      texts.append(text)
    }
    return texts
  }

  func jobNumbers(_ name: String) throws(WireError) -> [JobNumber] {
    var numbers: [JobNumber] = []
    for element in try array(name) {
      guard numbers.count <= Limits.prerequisites else { throw mistyped(name, "a shorter list") }
      if case .natural(let value) = element {
        numbers.append(JobNumber(value))
      } else if case .string(let text) = element, let range = JobRange(text),
        range.count <= Limits.prerequisites
      {
        numbers += (range.first.value...range.last.value).map(JobNumber.init)
      } else {
        throw mistyped(name, "a list of job numbers, or of ranges such as \"7-9\"")
      }
    }
    return numbers
  }

  /// `value`, which must be there.
  func required<Value>(_ name: String, _ value: Value?) throws(WireError) -> Value {
    guard let value else { throw WireError(.usage, "\"\(path)\(name)\" is missing") }
    return value
  }

  private func mistyped(_ name: String, _ wanted: String) -> WireError {
    WireError(.usage, "\"\(path)\(name)\" must be \(wanted)")
  }
}
