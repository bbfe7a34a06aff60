/// Writes options one by one, or reads them.
///
/// `usual`: the default. A reader leaves an option unchanged if the input does not have it.
package protocol OptionCoder {
  associatedtype Failure: Error

  mutating func flag(_ flag: inout Bool, _ name: OptionName, _ usual: Bool) throws(Failure)
  mutating func count(_ count: inout Int, _ name: OptionName, _ usual: Int) throws(Failure)
  mutating func bytes(_ bytes: inout UInt64, _ name: OptionName, _ usual: UInt64) throws(Failure)
  mutating func span(_ span: inout Interval, _ name: OptionName, _ usual: Interval) throws(Failure)
  mutating func span(_ span: inout Interval?, _ name: OptionName, _ usual: Interval?)
    throws(Failure)
  mutating func word<Word: RawRepresentable & CaseIterable & Equatable>(
    _ word: inout Word, _ name: OptionName, _ usual: Word
  ) throws(Failure) where Word.RawValue == String
  mutating func text(_ text: inout String?, _ name: OptionName, _ usual: String?) throws(Failure)
  mutating func observation(
    _ observation: inout Observation, _ name: OptionName, _ usual: Observation
  ) throws(Failure)
  mutating func group(
    _ group: inout GroupName?, _ name: OptionName, _ usual: GroupName?
  ) throws(Failure)
  mutating func counted(
    _ needs: inout [CountedNeed], _ name: OptionName, _ usual: [CountedNeed]
  ) throws(Failure)
  mutating func requirements(
    _ requirements: inout Requirements, _ name: OptionName, _ usual: Requirements
  ) throws(Failure)
}

/// The names of an option in its encodings.
package struct OptionName: Sendable {
  package let field: StaticString
  /// It came later than the first messages, which have a null for each option: it is left out then.
  package let isLate: Bool

  package init(_ field: StaticString, isLate: Bool = false) {
    self.field = field
    self.isLate = isLate
  }
}
