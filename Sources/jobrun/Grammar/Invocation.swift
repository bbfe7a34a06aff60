import JobCore

/// A command line that makes sense: every flag known, every value read.
struct Invocation: Hashable, Sendable {
  /// A flag's value after reading.
  enum Value: Hashable, Sendable {
    case on
    case text(String)
    case duration(Interval)
    case never
    case count(UInt64)
    case requirements(Requirements)
    case words([String])
  }

  var verb: Verb.Name
  var values = FlagValues()
  var operands: [Argument] = []
  /// The job's arguments, verbatim.
  var arguments: [Argument] = []
  /// Help was requested instead of the verb itself.
  var wantsHelp = false

  init(_ verb: Verb.Name) {
    self.verb = verb
  }

  func isSet(_ flag: Flag) -> Bool { values[flag] != nil }

  func text(_ flag: Flag) -> String? {
    guard case .text(let text) = values[flag] else { return nil }
    return text
  }

  func duration(_ flag: Flag) -> Interval? {
    guard case .duration(let span) = values[flag] else { return nil }
    return span
  }

  func count(_ flag: Flag) -> UInt64? {
    guard case .count(let count) = values[flag] else { return nil }
    return count
  }

  func requirements(_ flag: Flag) -> Requirements? {
    guard case .requirements(let requirements) = values[flag] else { return nil }
    return requirements
  }

  /// The values of a list; empty when the flag is not given.
  func words(_ flag: Flag) -> [String] {
    guard case .words(let words) = values[flag] else { return [] }
    return words
  }

  /// The word of a choice as a value of the core; the table holds the same words.
  func choice<Choice: RawRepresentable<String>>(_ flag: Flag) -> Choice? {
    text(flag).flatMap(Choice.init(rawValue:))
  }
}
