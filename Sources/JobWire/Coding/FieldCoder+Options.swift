package import JobCore

// The options of a submission are fields of a message, lengths of time in milliseconds.
extension FieldCoder {
  package mutating func flag(_ flag: inout Bool, _ name: OptionName, _ usual: Bool)
    throws(Failure)
  {
    try option(&flag, name, usual)
  }

  package mutating func count(_ count: inout Int, _ name: OptionName, _ usual: Int)
    throws(Failure)
  {
    try option(&count, name, usual)
  }

  package mutating func bytes(_ bytes: inout UInt64, _ name: OptionName, _ usual: UInt64)
    throws(Failure)
  {
    try option(&bytes, name, usual)
  }

  package mutating func span(_ span: inout Interval, _ name: OptionName, _ usual: Interval)
    throws(Failure)
  {
    var milliseconds = span.milliseconds
    try option(&milliseconds, name, usual.milliseconds)
    if isReading { span = .milliseconds(milliseconds) }
  }

  package mutating func span(_ span: inout Interval?, _ name: OptionName, _ usual: Interval?)
    throws(Failure)
  {
    var milliseconds = span?.milliseconds
    try option(&milliseconds, name, usual?.milliseconds)
    if isReading { span = milliseconds.map { .milliseconds($0) } }
  }

  package mutating func word<Word: RawRepresentable & CaseIterable & Equatable>(
    _ word: inout Word, _ name: OptionName, _ usual: Word
  ) throws(Failure) where Word.RawValue == String {
    var value = FieldWord(word)
    try option(&value, name, FieldWord(usual))
    word = value.word
  }

  package mutating func text(_ text: inout String?, _ name: OptionName, _ usual: String?)
    throws(Failure)
  {
    try option(&text, name, usual)
  }

  package mutating func observation(
    _ observation: inout Observation, _ name: OptionName, _ usual: Observation
  ) throws(Failure) {
    try option(&observation, name, usual)
  }

  package mutating func group(
    _ group: inout GroupName?, _ name: OptionName, _ usual: GroupName?
  ) throws(Failure) {
    try option(&group, name, usual)
  }

  package mutating func counted(
    _ needs: inout [CountedNeed], _ name: OptionName, _ usual: [CountedNeed]
  ) throws(Failure) {
    try option(&needs, name, usual)
  }

  package mutating func requirements(
    _ requirements: inout Requirements, _ name: OptionName, _ usual: Requirements
  ) throws(Failure) {
    try option(&requirements, name, usual)
  }

  private mutating func option<Value: FieldValue & Equatable>(
    _ value: inout Value, _ name: OptionName, _ usual: Value
  ) throws(Failure) {
    var optional: Value? = value
    try option(&optional, name, usual)
    value = optional ?? value
  }
}

/// A word of the rules, which know nothing of messages.
private struct FieldWord<Word: RawRepresentable & CaseIterable & Equatable>: FieldValue, Equatable
where Word.RawValue == String {
  let word: Word

  init(_ word: Word) { self.word = word }

  static var wanted: String { words(Word.self) }

  func write(to writer: inout JSONWriter) { writer.value(word.rawValue) }

  static func read(_ value: JSONValue, at place: FieldPlace) throws(WireError) -> Self? {
    guard case .string(let text) = value else { return nil }
    return Word(rawValue: text).map { Self($0) }
  }
}
