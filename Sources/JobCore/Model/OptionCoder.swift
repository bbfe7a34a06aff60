/// Writes options one by one, or reads them: into a message, a row, or out of them.
///
/// A reader leaves an option as it is where nothing is written of it.
package protocol OptionCoder {
  associatedtype Failure: Error

  mutating func flag(_ flag: inout Bool, _ name: OptionName) throws(Failure)
  mutating func count(_ count: inout Int, _ name: OptionName) throws(Failure)
  mutating func bytes(_ bytes: inout UInt64, _ name: OptionName) throws(Failure)
  mutating func span(_ span: inout Span, _ name: OptionName) throws(Failure)
  mutating func span(_ span: inout Span?, _ name: OptionName) throws(Failure)
  mutating func word<Word: RawRepresentable & CaseIterable>(
    _ word: inout Word, _ name: OptionName
  ) throws(Failure) where Word.RawValue == String
  mutating func text(_ text: inout String?, _ name: OptionName) throws(Failure)
  mutating func observation(
    _ observation: inout Observation, _ name: OptionName
  ) throws(Failure)
  mutating func group(_ group: inout GroupName?, _ name: OptionName) throws(Failure)
  mutating func requirements(
    _ requirements: inout Requirements, _ name: OptionName
  ) throws(Failure)
}

/// What an option is called where it is written.
package struct OptionName: Sendable {
  /// In messages.
  package let field: StaticString
  /// In the table of jobs.
  package let column: StaticString
  /// It came later than the first messages, which have a null for each option: it is left out then.
  package let isLate: Bool

  /// Without a column's name it is that of the field.
  package init(_ field: StaticString, column: StaticString? = nil, isLate: Bool = false) {
    self.field = field
    self.column = column ?? field
    self.isLate = isLate
  }
}
