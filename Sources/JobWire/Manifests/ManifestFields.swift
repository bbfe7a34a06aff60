import JobCore

/// The keys of one object in a file that people write: every mistake becomes one sentence with file,
/// line and key, and an unknown key is a mistake.
struct ManifestFields {
  let file: String
  private let members: [JSONMember]
  /// The path of the object in the file, for messages: `historyLimit.`; empty at the top.
  private let path: String

  /// `known`: all the keys that this object may have.
  init(_ bytes: [UInt8], file: String, known: [String]) throws(ManifestError) {
    guard bytes.count <= Limits.manifestBytes else {
      throw ManifestError(
        file: file, line: nil,
        problem: "has \(bytes.count) bytes; \(Limits.manifestBytes) is the limit")
    }
    let value: JSONValue
    do throws(JSONSyntaxError) {
      value = try JSONReader.value(of: bytes[...], isForPeople: true)
    } catch {
      throw ManifestError(file: file, line: error.line, problem: "is not valid: " + error.message)
    }
    guard case .object(let members) = value else {
      throw ManifestError(
        file: file, line: nil, problem: "holds \(value.kindName); one object { … } is expected")
    }
    try self.init(members, file: file, path: "", known: known)
  }

  private init(
    _ members: [JSONMember], file: String, path: String, known: [String]
  ) throws(ManifestError) {
    self.members = members
    self.file = file
    self.path = path
    guard let unknown = members.first(where: { !known.contains($0.name) }) else { return }
    let hint = NearestName.hint(for: unknown.name, among: known)
    throw ManifestError(
      file: file, line: unknown.line, problem: "the key \(unknown.name.quoted) is not known\(hint)")
  }

  /// The error of a key's value.
  func problem(_ key: String, _ text: String) -> ManifestError {
    let line = members.first { $0.name == key }?.line
    return ManifestError(file: file, line: line, problem: "\"\(path)\(key)\" \(text)")
  }

  func has(_ key: String) -> Bool { members.contains { $0.name == key } }

  func isNull(_ key: String) -> Bool { members.first { $0.name == key }?.value == .null }

  func text(_ key: String) throws(ManifestError) -> String? {
    guard let value = value(key) else { return nil }
    guard case .string(let text) = value else { throw mistyped(key, value, "a string") }
    return text
  }

  func requiredText(_ key: String, example: String) throws(ManifestError) -> String {
    guard let text = try text(key) else {
      throw problem(key, "is missing; write something like \"\(key)\": \(example)")
    }
    return text
  }

  func flag(_ key: String) throws(ManifestError) -> Bool? {
    guard let value = value(key) else { return nil }
    guard case .bool(let flag) = value else { throw mistyped(key, value, "true or false") }
    return flag
  }

  func number(_ key: String, in range: ClosedRange<Int>) throws(ManifestError) -> Int? {
    guard let value = value(key) else { return nil }
    guard case .natural(let natural) = value, let number = Int(exactly: natural),
      range.contains(number)
    else {
      throw mistyped(
        key, value, "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// An object of numbers with names of their own.
  func numbers(
    _ key: String, in range: ClosedRange<Int>
  ) throws(ManifestError) -> [(name: String, number: Int)] {
    guard let value = value(key) else { return [] }
    guard case .object(let members) = value else { throw mistyped(key, value, "an object") }
    var numbers: [(name: String, number: Int)] = []
    for member in members {
      guard case .natural(let natural) = member.value, let number = Int(exactly: natural),
        range.contains(number)
      else {
        throw problem(
          key,
          "holds \(member.value.kindName) for \(member.name.quoted); a whole number from"
            + " \(range.lowerBound) to \(range.upperBound) is expected")
      }
      numbers.append((member.name, number))
    }
    return numbers
  }

  func texts(_ key: String) throws(ManifestError) -> [String]? {
    guard let value = value(key) else { return nil }
    guard case .array(let elements) = value else { throw mistyped(key, value, "a list of strings") }
    var texts: [String] = []
    for element in elements {
      guard case .string(let text) = element else {
        throw problem(key, "holds \(element.kindName); a list of strings is expected")
      }
      texts.append(text)
    }
    return texts
  }

  /// One text or a list of them; nil for an object, too.
  func textOrTexts(_ key: String) throws(ManifestError) -> [String]? {
    switch value(key) {
    case .string(let text): [text]
    case .array: try texts(key)
    default: nil
    }
  }

  /// A text that must be one of the raw values of `Choice`.
  func choice<Choice: RawRepresentable & CaseIterable>(
    _ key: String, as type: Choice.Type
  ) throws(ManifestError) -> Choice? where Choice.RawValue == String {
    try text(key).map { (text) throws(ManifestError) in try choice(text, key, as: type) }
  }

  func choices<Choice: RawRepresentable & CaseIterable>(
    _ key: String, as type: Choice.Type
  ) throws(ManifestError) -> [Choice]? where Choice.RawValue == String {
    guard let texts = try texts(key) else { return nil }
    var choices: [Choice] = []
    for text in texts { choices.append(try choice(text, key, as: type)) }
    return choices
  }

  /// A duration as people type it; nil when the key is missing or null.
  func duration(_ key: String) throws(ManifestError) -> Interval? {
    guard let value = value(key) else { return nil }
    guard case .string(let text) = value else {
      throw mistyped(key, value, "a duration in quotation marks, such as \"30s\"")
    }
    do throws(WireError) {
      return try DurationText.parse(text)
    } catch {
      throw problem(key, "cannot be read: " + error.message)
    }
  }

  /// The largest size of a log, in bytes: a size as people type it, or a number.
  func logLimit() throws(ManifestError) -> UInt64? {
    let key = "logLimit"
    guard let value = value(key) else { return nil }
    let limit: UInt64
    switch value {
    case .natural(let bytes): limit = bytes
    case .string(let text):
      do throws(WireError) {
        limit = try BinarySize.parse(text)
      } catch {
        throw problem(key, "cannot be read: " + error.message)
      }
    default: throw mistyped(key, value, "a size in quotation marks, such as \"200M\"")
    }
    guard limit >= Limits.minimumLogBytes else {
      throw problem(
        key, "is \(limit) bytes; \(BinarySize.formatExactly(Limits.minimumLogBytes)) is the minimum"
      )
    }
    return limit
  }

  func object(_ key: String, known: [String]) throws(ManifestError) -> ManifestFields? {
    guard let value = value(key) else { return nil }
    guard case .object(let members) = value else { throw mistyped(key, value, "an object") }
    return try ManifestFields(members, file: file, path: "\(path)\(key).", known: known)
  }

  /// The objects of an object by their names, which may be any; each may have these keys.
  func namedObjects(
    _ key: String, known: [String]
  ) throws(ManifestError) -> [(name: String, fields: ManifestFields)] {
    guard let value = value(key) else { return [] }
    guard case .object(let members) = value else { throw mistyped(key, value, "an object") }
    let names = try ManifestFields(
      members, file: file, path: "\(path)\(key).", known: members.map { $0.name })
    var objects: [(name: String, fields: ManifestFields)] = []
    for member in members {
      guard let fields = try names.object(member.name, known: known) else { continue }
      objects.append((member.name, fields))
    }
    return objects
  }

  /// A list of objects that may each have these keys.
  func objects(_ key: String, known: [String]) throws(ManifestError) -> [ManifestFields]? {
    guard let value = value(key) else { return nil }
    guard case .array(let elements) = value else { throw mistyped(key, value, "a list of objects") }
    var objects: [ManifestFields] = []
    for element in elements {
      guard case .object(let members) = element else {
        throw problem(key, "holds \(element.kindName); a list of objects { … } is expected")
      }
      objects.append(
        try ManifestFields(members, file: file, path: "\(path)\(key).", known: known))
    }
    return objects
  }

  private func choice<Choice: RawRepresentable & CaseIterable>(
    _ text: String, _ key: String, as type: Choice.Type
  ) throws(ManifestError) -> Choice where Choice.RawValue == String {
    guard let choice = Choice(rawValue: text) else {
      let hint = NearestName.hint(for: text, among: Choice.allCases.map { $0.rawValue })
      throw problem(key, "cannot be \(text.quoted)\(hint)")
    }
    return choice
  }

  private func value(_ key: String) -> JSONValue? {
    guard let value = members.first(where: { $0.name == key })?.value, value != .null else {
      return nil
    }
    return value
  }

  private func mistyped(_ key: String, _ value: JSONValue, _ wanted: String) -> ManifestError {
    problem(key, "is \(value.shown); it must be \(wanted)")
  }
}

extension JSONValue {
  /// The value for a sentence, or its kind when it is long.
  fileprivate var shown: String {
    switch self {
    case .string(let text): text.quoted
    case .natural(let number): "\(number)"
    case .negative(let number): "\(number)"
    case .number(let number): "\(number)"
    case .bool(let flag): "\(flag)"
    case .null, .array, .object: kindName
    }
  }
}
