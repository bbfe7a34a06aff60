/// A place in a command that becomes something of a job's inputs.
enum CommandPlace: Hashable {
  /// A change of an input, taken as a path.
  enum Change: String, CaseIterable {
    case whole = ""
    case withoutExtension = "."
    case name = "/"
    case folder = "//"
    case nameWithoutExtension = "/."
  }

  case all
  /// From 1.
  case input(Int, Change)
  /// All inputs, each changed this way.
  case changed(Change)
  case position, slot

  /// The highest input that it asks for.
  var highest: Int {
    switch self {
    case .all, .changed: 1
    case .input(let number, _): number
    case .position, .slot: 0
    }
  }

  func bytes(of filling: CommandTemplate.Filling) -> [UInt8] {
    switch self {
    case .all: Array(filling.inputs.joined(separator: [UInt8(ascii: " ")]))
    case .changed(let change):
      Array(filling.inputs.map { change.applied(to: $0) }.joined(separator: [UInt8(ascii: " ")]))
    case .input(let number, let change):
      number <= filling.inputs.count
        ? Array(change.applied(to: filling.inputs[number - 1])) : []
    case .position: Array("\(filling.position)".utf8)
    case .slot: Array((filling.slot.map { "\($0)" } ?? "{%}").utf8)
    }
  }

  /// The length of the longest place, `{99/.}`: a long word may contain many opening braces.
  private static let length = 6

  /// The place that begins here, and its end; nil without one.
  static func place(at rest: ArraySlice<UInt8>) -> (CommandPlace, end: Int)? {
    guard let close = rest.prefix(length).firstIndex(of: UInt8(ascii: "}")) else { return nil }
    let inner = rest[(rest.startIndex + 1)..<close]
    let digits = inner.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    let change = String(decoding: inner[digits.endIndex...], as: UTF8.self)
    if digits.isEmpty, change == "#" { return (.position, close + 1) }
    if digits.isEmpty, change == "%" { return (.slot, close + 1) }
    guard digits.count <= 2, let change = Change(rawValue: change) else { return nil }
    if digits.isEmpty { return (change == .whole ? .all : .changed(change), close + 1) }
    guard let number = Int(String(decoding: digits, as: UTF8.self)), number > 0 else { return nil }
    return (.input(number, change), close + 1)
  }

  /// A likely mistake in braces that has no other use: `{=`, `{..}`, `{+/}`.
  static func likeness(at rest: ArraySlice<UInt8>) -> String? {
    let behind = rest.dropFirst()
    if behind.first == UInt8(ascii: "=") { return "= … =" }
    guard let close = behind.prefix(8).firstIndex(of: UInt8(ascii: "}")) else { return nil }
    let inner = behind[..<close]
    let marks = Array("./#%+-".utf8)
    guard inner.contains(where: marks.contains),
      inner.allSatisfy({
        marks.contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
      })
    else { return nil }
    return String(decoding: inner, as: UTF8.self)
  }
}

extension CommandPlace.Change {
  func applied(to input: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let slash = input.lastIndex(of: UInt8(ascii: "/"))
    let name = slash.map { input[($0 + 1)...] } ?? input
    switch self {
    case .whole: return input
    case .name: return name
    case .folder:
      guard let slash else { return Array(".".utf8)[...] }
      return slash == input.startIndex ? input[...slash] : input[..<slash]
    case .withoutExtension: return input[..<Self.end(of: name)]
    case .nameWithoutExtension: return name[..<Self.end(of: name)]
    }
  }

  /// Where a name's extension begins; a dot at its start begins none.
  private static func end(of name: ArraySlice<UInt8>) -> Int {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else {
      return name.endIndex
    }
    return dot
  }
}
